// SPDX-License-Identifier: MIT-0
// A recorder of motions for three.js. Run on three.js.
//
// Call `step` after each step of the simulation, or once a drawn frame on a client. `text` gives the file.

export class MotionRecorder {
  #lines = ['up=y\nunit=m\ntime;id;kind;event;x;y;z;qx;qy;qz;qw\n'];
  #watched = new Map();
  #ended = new Set();
  #jumped = new Set();

  /** Writes an object from now on, until it is forgotten. The id is its number on the network. */
  watch(object, id, kind = 0) {
    this.#watched.set(id, { object, kind });
  }

  /** Tells that an object has been teleported since the last row. */
  jump(id) {
    this.#jumped.add(id);
  }

  /** Ends an object. */
  forget(id) {
    const it = this.#watched.get(id);
    if (it) it.object = undefined;
  }

  step(seconds) {
    for (const [id, { object, kind }] of this.#watched) {
      const row = (event, pose) => this.#lines.push(`${Number(seconds.toFixed(6))};${id};${kind};${event};${pose}\n`);
      const jumped = this.#jumped.delete(id);
      if (object === undefined) {
        row('end', ';;;;;;');
        this.#watched.delete(id);
        this.#ended.add(id);
        continue;
      }
      const p = object.getWorldPosition(object.position.clone());
      const q = object.getWorldQuaternion(object.quaternion.clone());
      const event = this.#ended.delete(id) ? 'spawn' : jumped ? 'jump' : '';
      row(event, [p.x, p.y, p.z, q.x, q.y, q.z, q.w].join(';'));
    }
  }

  /** The file, for URL.createObjectURL and a link with the attribute `download`. */
  text() {
    return new Blob(this.#lines, { type: 'text/csv' });
  }
}
