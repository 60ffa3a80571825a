// SPDX-License-Identifier: Apache-2.0
// Parser of a bare Ethernet frame: everything that look-up and classification need is in its first word. Manual:
// docs/blocks/ingress.md. Combinational.

module tilefly_parser (
    /// a frame is to be parsed; the result is zero otherwise
    input  logic                               valid_i,
    /// first 20 bytes of the frame, first byte lowest
    input  logic                       [159:0] bytes_i,
    /// what they say
    output tilefly_ingress_pkg::parsed_t       parsed_o
);

  localparam logic [27:0] FabricPrefix = 28'h0200000;  // 02:00:00:0

  // Big-endian 16 bits at byte n.
  function automatic [15:0] half(input [159:0] bytes, input integer n);
    half = {bytes[8*n+:8], bytes[8*n+8+:8]};
  endfunction

  /* verilator lint_off UNUSEDSIGNAL */  // of the IP header only the DSCP matters
  logic [15:0] ip_start;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [15:0] tag_type, ether_type;
  logic [47:0] mac;

  always_comb begin
    parsed_o = '0;
    tag_type = '0;
    ether_type = '0;
    ip_start = '0;
    mac = '0;
    if (valid_i) begin
      mac = {half(bytes_i, 0), half(bytes_i, 2), half(bytes_i, 4)};
      parsed_o.mac = mac;
      parsed_o.algorithmic = mac[47:20] == FabricPrefix;
      parsed_o.broadcast = mac == '1;
      parsed_o.multicast = mac[40];

      tag_type = half(bytes_i, 12);
      parsed_o.vlan = tag_type == 16'h8100 || tag_type == 16'h88a8;
      parsed_o.pcp = bytes_i[8*14+5+:3];

      ether_type = parsed_o.vlan ? half(bytes_i, 16) : tag_type;
      ip_start = parsed_o.vlan ? half(bytes_i, 18) : half(bytes_i, 14);
      // IPv4: version, header length, DSCP. IPv6: version, then DSCP.
      parsed_o.ip = ether_type == 16'h0800 || ether_type == 16'h86dd;
      parsed_o.dscp = (ether_type == 16'h86dd) ? ip_start[11:6] : ip_start[7:2];
    end
  end

endmodule
