// SPDX-License-Identifier: MIT-0
// A recorder of motions for Unity. Compiled and run against stubs of the engine; nobody has run it in Unity here.
//
// Put it on a game object. On the server leave `moment` at AfterStep; on a client set it to AfterFrame.

using System.Collections.Generic;
using System.Globalization;
using System.IO;
using UnityEngine;

public class MotionRecorder : MonoBehaviour {
    public enum Moment { AfterStep, AfterFrame }

    public Moment moment = Moment.AfterStep;
    /// The file, in the folder that Application.persistentDataPath names.
    public string fileName = "server.csv";

    class Watched {
        public Transform body;
        public uint kind;
    }

    readonly SortedDictionary<uint, Watched> watched = new SortedDictionary<uint, Watched>();
    readonly HashSet<uint> ended = new HashSet<uint>();
    readonly HashSet<uint> jumped = new HashSet<uint>();
    StreamWriter file;

    /// Writes an object from now on, until it is destroyed or forgotten. The id is its number on the network.
    public void Watch(Transform body, uint id, uint kind = 0) {
        watched[id] = new Watched { body = body, kind = kind };
    }

    /// Tells that an object has been teleported since the last row.
    public void Jump(uint id) {
        jumped.Add(id);
    }

    /// Ends an object that is not destroyed, as in a pool.
    public void Forget(uint id) {
        Watched gone;
        if (watched.TryGetValue(id, out gone)) gone.body = null;
    }

    void OnEnable() {
        file = new StreamWriter(Path.Combine(Application.persistentDataPath, fileName));
        file.Write("up=y\nhand=left\nunit=m\ntime;id;kind;event;x;y;z;qx;qy;qz;qw\n");
    }

    void FixedUpdate() {
        if (moment == Moment.AfterStep) WriteAll(Time.fixedTime);
    }

    void LateUpdate() {
        if (moment == Moment.AfterFrame) WriteAll(Time.time);
    }

    void OnDisable() {
        file.Dispose();
    }

    void WriteAll(double time) {
        foreach (var id in new List<uint>(watched.Keys)) {
            var it = watched[id];
            if (it.body == null) {
                Row(time, id, it.kind, "end", ";;;;;;");
                watched.Remove(id);
                ended.Add(id);
                jumped.Remove(id);
                continue;
            }
            var happens = ended.Remove(id) ? "spawn" : jumped.Remove(id) ? "jump" : "";
            jumped.Remove(id);
            var p = it.body.position;
            var q = it.body.rotation;
            Row(time, id, it.kind, happens, Numbers(p.x, p.y, p.z, q.x, q.y, q.z, q.w));
        }
    }

    void Row(double time, uint id, uint kind, string happens, string pose) {
        file.Write(time.ToString("0.######", CultureInfo.InvariantCulture) + ";" + id + ";" + kind + ";" + happens + ";" + pose + "\n");
    }

    static string Numbers(params float[] numbers) {
        return string.Join(";", System.Array.ConvertAll(numbers, number => number.ToString("R", CultureInfo.InvariantCulture)));
    }
}
