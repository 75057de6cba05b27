/** Label matchers of the validators and subnets that the expected figures name. */
export const NODE1 = 'node_id="NodeID-7Xhw2mDxuDS44j42TCB6U5579esbSt3Lg"';
export const NODE6 = 'node_id="NodeID-8svdcPMG3GiLuyy5675h2BUNaXdrNCujA"';
export const RENEWED_HEAD = 'node_id="NodeID-DwfCv5Az3EefKapjaMsqoz3nWxxBxJcEA"';
export const RENEWED = 'node_id="NodeID-ECTV6zg5tvcdKrQidMZ6956r1PSpUzbLo"';
export const LEFT_BEHIND = 'node_id="NodeID-P7oB2McjBGgW2NXXWVYjV8JEDFoW9xDE5"';
export const NOBODY = 'node_id="NodeID-111111111111111111116DBWJs"';
export const S1 = 'subnet="BKBZ6xXTnT86B4L5fp8rvtcmNSpvtNz8En9jG61ywV2uWyeHy"';
export const S2 = 'subnet="mAAwNdYgpbsfCaEJMpVAooWWBoSMvtTB8cpMnbRvsC4nAMQzx"';
export const UNKNOWN = 'subnet="2DeHa7Qb6sufPkmQcFWG2uCd4pBPv9WB6dkzroiMQhd1NSRtof"';
