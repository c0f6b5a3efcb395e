// Rows: ids, kinds and fields of a game's own (FORMAT.md, section 20).

import { refuse } from './bits.mjs';
import { Distribution } from './coder.mjs';
import { EMPTY_LIFE, isSettled, same } from './fields.mjs';

const modulo = (value, n) => ((value % 2 ** n) + 2 ** n) % 2 ** n;

/** A whole row. */
const readWhole = (bits, { kind, fields }) => [bits.u(32), bits.u(kind), ...fields.map(({ n }) => bits.u(n))];

const difference = (n, base, value) => {
  const code = modulo(value - base, n);
  return code >= 2 ** (n - 1) ? code - 2 ** n : code;
};

/** Whether differences of a field may be sent. */
const counts = ({ n, counter }) => counter && n >= 4;

function checkAnew(base, row) {
  if (same(row.slice(0, 2), base)) refuse('IdNotChanged');
  return row;
}

/** A changed field on rungs 6 to 11. */
function readField(bits, field, base) {
  const { n } = field;
  if (n === 1) return 1 - base;
  const s = Math.floor(n / 2);
  const small = counts(field) && bits.flag();
  const value = small ? modulo(base + bits.s(s), n) : bits.u(n);
  if (value === base) refuse('FieldNotChanged');
  const d = difference(n, base, value);
  if (counts(field) && !small && d >= -(2 ** (s - 1)) && d < 2 ** (s - 1)) refuse('NeedlessAbsolute');
  return value;
}

/** The rows of a packet. `cubes` are its cubes, `base` its baseline, `sent` the slots whose lives it has sent. */
export function readRows(bits, format, { cubes, base, sent }, readList) {
  const whole = (index) => (cubes[index].life === EMPTY_LIFE ? Array(2 + format.fields.fields.length).fill(0) : readWhole(bits, format.fields));
  if (format.rung < 6) return cubes.map((_, index) => whole(index));
  const rows = [...base.rows];
  for (const index of [...sent].sort((a, b) => a - b)) rows[index] = whole(index);
  if (format.rung >= 12) return codedRows(bits, format, { cubes, base, sent }, rows);
  if (!bits.flag()) return rows;
  const listed = readList();
  if (listed.length === 0) refuse('NoFieldsChanged');
  const { fields } = format.fields;
  for (const index of listed) {
    if (isSettled(cubes, sent, index)) refuse('CubeSettled');
    if (bits.flag()) {
      rows[index] = checkAnew(rows[index], readWhole(bits, format.fields));
      continue;
    }
    const mask = fields.length === 1 ? [true] : fields.map(() => bits.flag());
    if (!mask.includes(true)) refuse('CubeNotChanged');
    const row = [...rows[index]];
    fields.forEach((field, i) => {
      if (mask[i]) row[2 + i] = readField(bits, field, row[2 + i]);
    });
    rows[index] = row;
  }
  return rows;
}

/** A decision whose probability adapts. */
class Chance {
  constructor(p) {
    this.p = p;
  }

  decide(coder) {
    const bit = coder.decide(this.p);
    this.p += bit ? Math.floor((65_535 - this.p) / 16) : -Math.floor(this.p / 16);
    return bit;
  }
}

const chances = (count, p) => Array.from({ length: count }, () => new Chance(p));

/** The same by the coder of rungs 12 to 14. */
function codedRows(coder, format, { cubes, base, sent }, rows) {
  if (!coder.decide(16_384)) return rows;
  const { fields } = format.fields;
  const changes = chances(4, 4096);
  const masks = fields.map(() => chances(2, 16_384));
  const distributions = fields.map(() => new Distribution());
  let [recent, any] = [false, false];
  cubes.forEach((cube, index) => {
    if (isSettled(cubes, sent, index)) return;
    const { position, orientation } = base.cubes[index];
    const moved = !same(cube.position, position) || !same(cube.orientation, orientation);
    recent = changes[2 * Number(moved) + Number(recent)].decide(coder);
    if (!recent) return;
    any = true;
    if (coder.decide(256)) {
      rows[index] = checkAnew(rows[index], readWhole(coder, format.fields));
      return;
    }
    if (fields.length === 0) refuse('CubeNotChanged');
    const row = [...rows[index]];
    let earlier = false;
    fields.forEach((field, i) => {
      const implied = !earlier && i + 1 === fields.length;
      if (!implied && !masks[i][Number(earlier)].decide(coder)) return;
      earlier = true;
      row[2 + i] = codedField(coder, field, row[2 + i], distributions[i]);
    });
    rows[index] = row;
  });
  if (!any) refuse('NoFieldsChanged');
  return rows;
}

function codedField(coder, field, base, distribution) {
  const { n } = field;
  if (n === 1) return 1 - base;
  if (counts(field)) {
    const symbol = coder.symbol(distribution);
    if (symbol < 14) return modulo(base + (Math.floor(symbol / 2) + 1) * (symbol % 2 === 0 ? 1 : -1), n);
    if (symbol > 14) refuse('SymbolWithoutMeaning');
  }
  const value = coder.u(n);
  if (value === base) refuse('FieldNotChanged');
  if (counts(field) && Math.abs(difference(n, base, value)) <= 7) refuse('NeedlessAbsolute');
  return value;
}
