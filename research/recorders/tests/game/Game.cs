// The game of tests/all.rs in C#, and the parts of Unity that the recorder uses.

namespace UnityEngine {
    public struct Vector3 {
        public float x, y, z;
    }

    public struct Quaternion {
        public float x, y, z, w;
    }

    public class Transform {
        public Vector3 position;
        public Quaternion rotation = new Quaternion { w = 1 };
    }

    public class MonoBehaviour {
    }

    public static class Time {
        public static float fixedTime, time;
    }

    public static class Application {
        public static string persistentDataPath;
    }
}

static class Game {
    /// Calls a message of the engine, which is private by custom.
    static void Send(object behaviour, string name) {
        const System.Reflection.BindingFlags own = System.Reflection.BindingFlags.Instance | System.Reflection.BindingFlags.NonPublic;
        behaviour.GetType().GetMethod(name, own).Invoke(behaviour, null);
    }

    static void Main(string[] arguments) {
        UnityEngine.Application.persistentDataPath = arguments[0];
        // A language whose decimals have commas.
        System.Threading.Thread.CurrentThread.CurrentCulture = new System.Globalization.CultureInfo("de-DE");
        var recorder = new MotionRecorder();
        var sinks = new UnityEngine.Transform();
        var turns = new UnityEngine.Transform { position = new UnityEngine.Vector3 { x = 4, y = 6, z = 5 } };
        recorder.Watch(sinks, 0, 1);
        recorder.Watch(turns, 1, 1);
        Send(recorder, "OnEnable");
        for (int step = 0; step <= 60; step++) {
            UnityEngine.Time.fixedTime = step / 60f;
            sinks.position = new UnityEngine.Vector3 { x = step < 30 ? 1 : 9, y = 3 - 0.01f * step, z = 2 };
            if (step == 30) recorder.Jump(0);
            turns.rotation = step % 2 == 0 ? new UnityEngine.Quaternion { w = 1 } : new UnityEngine.Quaternion { x = 1 };
            if (step % 30 == 10) recorder.Watch(new UnityEngine.Transform(), 7, 2);
            if (step % 30 == 20) recorder.Forget(7);
            Send(recorder, "FixedUpdate");
            Send(recorder, "LateUpdate");
        }
        Send(recorder, "OnDisable");
    }
}
