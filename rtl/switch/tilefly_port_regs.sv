// SPDX-License-Identifier: Apache-2.0
// Registers of one port, and the switch's own address. Manual: docs/blocks/switch.md, docs/reference/registers.md.
// Latency: a write that is on `cfg_i` in cycle t (an event of t) is on the outputs (flops) from t + 1.
// Each half of a port has its own copy and leaves open what it does not need.

module tilefly_port_regs (
    /// clock
    input  logic                          clk_i,
    /// synchronous reset, active low
    input  logic                          rst_ni,
    /// number of this port
    input  logic                    [5:0] port_i,
    /// register bus, delayed so that its write is an event of this cycle
    input  tilefly_pkg::cfg_t             cfg_i,
    /// PORT.MODE
    output tilefly_pkg::port_mode_t       mode_o,
    /// an Ethernet header for enhanced IP frames is configured
    output logic                          eth_valid_o,
    /// that header, byte 0 lowest
    output logic                  [111:0] eth_header_o,
    /// occupancy at which PAUSE is sent, cells
    output logic                   [11:0] xoff_cells_o,
    /// occupancy below which it is ended, cells
    output logic                   [11:0] xon_cells_o,
    /// this port sends PAUSE
    output logic                          send_pause_o,
    /// ports that frames to an unknown unicast address go to
    output logic [tilefly_pkg::PORTS-1:0] flood_unknown_o,
    /// ports that broadcasts go to
    output logic [tilefly_pkg::PORTS-1:0] flood_broadcast_o,
    /// ports that frames to an unknown multicast address go to
    output logic [tilefly_pkg::PORTS-1:0] flood_multicast_o,
    /// own address: group 9, switch 5
    output logic                   [13:0] own_address_o
);

  localparam int Ports = tilefly_pkg::PORTS;
  localparam int Xoff = tilefly_pkg::PAUSE_XOFF_CELLS;
  localparam int Xon = tilefly_pkg::PAUSE_XON_CELLS;
  localparam logic [6:0] AllPorts = 7'd127;

  logic [tilefly_pkg::PORT_MODE_W-1:0] mode_q;
  logic eth_valid_q;
  logic [111:0] eth_header_q;
  logic [11:0] xoff_q, xon_q;
  logic send_pause_q;
  logic [Ports-1:0] unknown_q, broadcast_q, multicast_q;
  logic [13:0] own_address_q;

  logic write, write_port;
  tilefly_pkg::port_mode_t mode;
  tilefly_pkg::port_eth_lo_t eth_lo;
  tilefly_pkg::port_eth_hi_t eth_hi;
  tilefly_pkg::port_pause_t pause;
  tilefly_pkg::own_address_t own_address;
  assign mode        = tilefly_pkg::get_port_mode(cfg_i.data);
  assign eth_lo      = tilefly_pkg::get_port_eth_lo(cfg_i.data);
  assign eth_hi      = tilefly_pkg::get_port_eth_hi(cfg_i.data);
  assign pause       = tilefly_pkg::get_port_pause(cfg_i.data);
  assign own_address = tilefly_pkg::get_own_address(cfg_i.data);
  assign write = cfg_i.valid && !cfg_i.read;
  assign write_port = write && cfg_i.space == tilefly_pkg::CFG_PORT &&
      (cfg_i.port == {1'b0, port_i} || cfg_i.port == AllPorts);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      mode_q        <= tilefly_pkg::PORT_MODE_RESET;
      eth_valid_q   <= 1'b0;
      eth_header_q  <= '0;
      xoff_q        <= Xoff[11:0];
      xon_q         <= Xon[11:0];
      send_pause_q  <= 1'b0;
      unknown_q     <= '0;
      broadcast_q   <= '0;
      multicast_q   <= '0;
      own_address_q <= '0;
    end else if (write_port) begin
      case (cfg_i.index)
        11'(tilefly_pkg::PORT_REG_MODE): mode_q <= mode;
        11'(tilefly_pkg::PORT_REG_ETH_LO): eth_header_q[63:0] <= eth_lo.bytes;
        11'(tilefly_pkg::PORT_REG_ETH_HI): begin
          eth_header_q[111:64] <= eth_hi.bytes;
          eth_valid_q          <= eth_hi.valid;
        end
        11'(tilefly_pkg::PORT_REG_PAUSE): begin
          xoff_q       <= pause.xoff;
          xon_q        <= pause.xon;
          send_pause_q <= pause.send;
        end
        11'(tilefly_pkg::PORT_REG_FLOOD_UNKNOWN): unknown_q <= Ports'(cfg_i.data);
        11'(tilefly_pkg::PORT_REG_FLOOD_BROADCAST): broadcast_q <= Ports'(cfg_i.data);
        11'(tilefly_pkg::PORT_REG_FLOOD_MULTICAST): multicast_q <= Ports'(cfg_i.data);
        default: ;
      endcase
    end else if (write && cfg_i.space == tilefly_pkg::CFG_SWITCH &&
                 cfg_i.index == 11'(tilefly_pkg::SWITCH_REG_ADDRESS)) begin
      own_address_q <= own_address;
    end
  end

  assign mode_o            = mode_q;
  assign eth_valid_o       = eth_valid_q;
  assign eth_header_o      = eth_header_q;
  assign xoff_cells_o      = xoff_q;
  assign xon_cells_o       = xon_q;
  assign send_pause_o      = send_pause_q;
  assign flood_unknown_o   = unknown_q;
  assign flood_broadcast_o = broadcast_q;
  assign flood_multicast_o = multicast_q;
  assign own_address_o     = own_address_q;

endmodule
