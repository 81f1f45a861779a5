// Promises as ECMAScript has them. The engine's own run their reactions from the event loop, one generation a turn, where
// neither the time limit nor the end of a call can hold them; these run them from a queue, at the end of each call.
(function (global, define) {
    "use strict";

    const queue = [];
    const states = new WeakMap();

    function isObject(value) { return value !== null && (typeof value === "object" || typeof value === "function"); }
    function stateOf(promise, method) {
        const state = isObject(promise) ? states.get(promise) : undefined;
        if (!state) throw new TypeError("Promise.prototype." + method + " called on an object that is no promise");
        return state;
    }

    function settle(state, fulfilled, value) {
        state.settled = true;
        state.fulfilled = fulfilled;
        state.value = value;
        const reactions = state.reactions;
        state.reactions = [];
        reactions.forEach(reaction => queue.push(() => reaction(state)));
    }
    /// The pair of functions that decide a promise, of which the first call counts.
    function deciders(state) {
        let decided = false;
        function resolve(value) {
            if (decided) return;
            decided = true;
            if (value === state.promise) return settle(state, false, new TypeError("Chaining cycle detected for promise"));
            if (!isObject(value)) return settle(state, true, value);
            let then;
            try { then = value.then; } catch (error) { return settle(state, false, error); }
            if (typeof then !== "function") return settle(state, true, value);
            queue.push(() => {
                const next = deciders(state);
                try { then.call(value, next.resolve, next.reject); } catch (error) { next.reject(error); }
            });
        }
        function reject(reason) {
            if (decided) return;
            decided = true;
            settle(state, false, reason);
        }
        return { resolve: resolve, reject: reject };
    }

    function Promise(executor) {
        if (!new.target) throw new TypeError("Promise constructor cannot be invoked without 'new'");
        if (typeof executor !== "function") throw new TypeError("Promise resolver " + executor + " is not a function");
        const state = { promise: this, settled: false, fulfilled: false, value: undefined, reactions: [] };
        states.set(this, state);
        const decide = deciders(state);
        try { executor(decide.resolve, decide.reject); } catch (error) { decide.reject(error); }
    }
    function method(name, work) { define(Promise.prototype, name, work); }
    function make(name, work) { define(Promise, name, work); }

    method("then", function then(onFulfilled, onRejected) {
        const state = stateOf(this, "then");
        return new Promise((resolve, reject) => {
            function react(settled) {
                const work = settled.fulfilled ? onFulfilled : onRejected;
                if (typeof work !== "function") return settled.fulfilled ? resolve(settled.value) : reject(settled.value);
                let result;
                try { result = work(settled.value); } catch (error) { return reject(error); }
                resolve(result);
            }
            if (state.settled) queue.push(() => react(state));
            else state.reactions.push(react);
        });
    });
    method("catch", function (onRejected) { return this.then(undefined, onRejected); });
    method("finally", function (work) {
        if (typeof work !== "function") return this.then(work, work);
        return this.then(value => Promise.resolve(work()).then(() => value),
                         reason => Promise.resolve(work()).then(() => { throw reason; }));
    });
    Object.defineProperty(Promise.prototype, Symbol.toStringTag, { value: "Promise", configurable: true });

    make("resolve", function resolve(value) {
        return isObject(value) && states.has(value) ? value : new Promise(decide => decide(value));
    });
    make("reject", function reject(reason) { return new Promise((resolve, refuse) => refuse(reason)); });
    make("race", function race(promises) {
        return new Promise((resolve, reject) => {
            for (const promise of promises) Promise.resolve(promise).then(resolve, reject);
        });
    });
    /// A promise of what all of `promises` come to; `each` takes a promise and functions that keep its result or end all.
    function gathered(promises, each) {
        return new Promise((resolve, reject) => {
            const results = [];
            let open = 1;
            function closed() { if (--open === 0) resolve(results); }
            let count = 0;
            for (const promise of promises) {
                const place = count++;
                results.push(undefined);
                ++open;
                each(Promise.resolve(promise), result => { results[place] = result; closed(); }, reject);
            }
            closed();
        });
    }
    make("all", function all(promises) { return gathered(promises, (promise, keep, end) => promise.then(keep, end)); });
    make("allSettled", function allSettled(promises) {
        return gathered(promises, (promise, keep) => promise.then(value => keep({ status: "fulfilled", value: value }),
                                                                  reason => keep({ status: "rejected", reason: reason })));
    });
    make("any", function any(promises) {
        // the other way round: all must fail, and the first that does not ends it
        return gathered(promises, (promise, keep, end) => promise.then(end, keep)).then(reasons => {
            const error = new Error("All promises were rejected");
            define(error, "errors", reasons);
            throw error;
        }, value => value);
    });

    define(global, "Promise", Promise);
    define(global, "queueMicrotask", work => {
        queue.push(() => {
            try { work(); } catch (error) { console.error(error); }
        });
    });

    return {
        /// Runs what waits, until nothing does. Nothing in the queue throws.
        drain() {
            for (let i = 0; i < queue.length; ++i) {
                queue[i]();
                if (i > 1000) { queue.splice(0, i + 1); i = -1; }
            }
            queue.length = 0;
        },
        /// Forgets what waits, after an interruption.
        forget() { queue.length = 0; }
    };
})
