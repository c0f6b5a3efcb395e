// The kinds of bits: one name and one colour each, wherever they are shown (the colours are in css/figures.css).

export const kinds = [
  ['ip_udp', 'IP + UDP header'],
  ['header', 'packet header'],
  ['ack', 'acks'],
  ['index', 'which cubes'],
  ['flags', 'flags'],
  ['interacting', 'interacting'],
  ['position', 'position'],
  ['orientation', 'orientation'],
  ['linear_velocity', 'linear velocity'],
  ['angular_velocity', 'angular velocity'],
  ['input', 'input'],
  ['padding', 'padding'],
] as const;
