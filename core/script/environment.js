// What a script finds around it besides the engine's own objects: what newer JavaScript has and this engine lacks, what
// the engine gets wrong and can be put right from here (docs/SCRIPTS.md), console, timers, process.env.
(function (global, native, variables) {
    "use strict";

    function define(object, name, value) {
        Object.defineProperty(object, name, { value: value, writable: true, enumerable: false, configurable: true });
    }
    function provide(object, methods) {
        Object.keys(methods).forEach(name => { if (!(name in object)) define(object, name, methods[name]); });
    }
    function replace(object, methods) {
        Object.keys(methods).forEach(name => define(object, name, methods[name]));
    }

    // ---- what is missing

    define(global, "globalThis", global);
    provide(Object, {
        fromEntries(entries) {
            const object = {};
            for (const entry of entries) object[entry[0]] = entry[1];
            return object;
        },
        hasOwn(object, name) { return Object.prototype.hasOwnProperty.call(object, name); }
    });
    function at(index) {
        const whole = Math.trunc(index) || 0;
        return this[whole < 0 ? this.length + whole : whole];
    }
    function flattened(items, depth, into) {
        items.forEach(item => {
            if (depth > 0 && Array.isArray(item)) flattened(item, depth - 1, into);
            else into.push(item);
        });
        return into;
    }
    provide(Array.prototype, {
        at: at,
        flat(depth) { return flattened(this, depth === undefined ? 1 : Number(depth) || 0, []); },
        flatMap(map, self) { return flattened(this.map(map, self), 1, []); },
        findLast(test, self) { return this[this.findLastIndex(test, self)]; },
        findLastIndex(test, self) {
            for (let i = this.length - 1; i >= 0; --i) if (test.call(self, this[i], i, this)) return i;
            return -1;
        }
    });
    function needsGlobal(pattern, method) {
        if (pattern instanceof RegExp && !pattern.global)
            throw new TypeError("String.prototype." + method + " called with a non-global RegExp argument");
    }
    provide(String.prototype, {
        at(index) { return at.call(String(this), index); },
        trimStart() { return (String(this) + "|").trim().slice(0, -1); },
        // Through trim(): a pattern that looks for blanks before the end would give up on long texts.
        trimEnd() { return ("|" + String(this)).trim().slice(1); },
        replaceAll(pattern, by) {
            needsGlobal(pattern, "replaceAll");
            if (pattern instanceof RegExp) return this.replace(pattern, by);
            const escaped = String(pattern).replace(/[.*+?^${}()|[\]\\\/]/g, "\\$&");
            return this.replace(new RegExp(escaped, "g"), by);
        },
        * matchAll(pattern) {
            needsGlobal(pattern, "matchAll");
            const finder = new RegExp(pattern, pattern instanceof RegExp ? pattern.flags : "g");
            const text = String(this);
            for (let match = finder.exec(text); match; match = finder.exec(text)) {
                if (match[0] === "") ++finder.lastIndex;
                yield match;
            }
        }
    });
    Object.defineProperty(Symbol.prototype, "description", {
        get() { return String(this.valueOf()).slice(7, -1); }, configurable: true
    });

    // ---- what the engine gets wrong

    const nativeSort = Array.prototype.sort;
    const nativeJoin = Array.prototype.join;
    const joining = [];
    replace(Array.prototype, {
        // The engine's is not stable.
        sort(compare) {
            if (compare !== undefined && typeof compare !== "function")
                throw new TypeError("The comparison function must be either a function or undefined");
            if (!Array.isArray(this)) return nativeSort.call(this, compare);
            const length = this.length;
            const items = [];
            let undefinedCount = 0;
            this.forEach(item => {
                if (item === undefined) ++undefinedCount;
                else items.push({ item: item, text: compare ? "" : String(item), place: items.length });
            });
            nativeSort.call(items, compare
                ? (a, b) => Number(compare(a.item, b.item)) || a.place - b.place
                : (a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : a.place - b.place));
            for (let i = 0; i < length; ++i) {
                if (i < items.length) this[i] = items[i].item;
                else if (i < items.length + undefinedCount) this[i] = undefined;
                else delete this[i];
            }
            return this;
        },
        // The engine's own ends the process when arrays are nested very deeply.
        join(separator) {
            const list = Object(this);
            let plain = true;
            for (let i = 0; plain && i < list.length; ++i) plain = !Array.isArray(list[i]);
            if (plain) return nativeJoin.call(list, separator);
            if (joining.indexOf(list) >= 0) return "";
            joining.push(list);
            try {
                const texts = [];
                for (let i = 0; i < list.length; ++i) {
                    const item = list[i];
                    texts.push(item === undefined || item === null ? "" : String(item));
                }
                return nativeJoin.call(texts, separator);
            } finally {
                joining.pop();
            }
        }
    });

    const NativeRegExp = RegExp;
    function CheckedRegExp(pattern, flags) {
        const isRegExp = pattern instanceof NativeRegExp;
        const source = isRegExp ? pattern.source : pattern === undefined ? "" : String(pattern);
        const wanted = flags === undefined ? (isRegExp ? pattern.flags : "") : String(flags);
        if (isRegExp && flags === undefined && !new.target) return pattern;
        const problem = native.regexProblem(source, wanted);
        if (problem) throw new SyntaxError(problem);
        return new NativeRegExp(source, wanted);
    }
    CheckedRegExp.prototype = NativeRegExp.prototype;
    Object.defineProperty(CheckedRegExp, "name", { value: "RegExp" });
    Object.defineProperty(CheckedRegExp, Symbol.species, { get() { return NativeRegExp; } });
    define(NativeRegExp.prototype, "constructor", CheckedRegExp);
    define(global, "RegExp", CheckedRegExp);

    // The engine escapes slashes that are escaped already.
    const nativeSource = Object.getOwnPropertyDescriptor(NativeRegExp.prototype, "source").get;
    Object.defineProperty(NativeRegExp.prototype, "source", {
        get() { return nativeSource.call(this).replace(/\\(\\\/)/g, "$1").replace(/\n/g, "\\n"); }, configurable: true
    });
    define(NativeRegExp.prototype, "toString", function toString() { return "/" + this.source + "/" + this.flags; });

    // The engine replaces empty matches twice, and splits at them one character too late.
    const nativeReplace = String.prototype.replace;
    const nativeSplit = String.prototype.split;
    function expanded(template, match, text) {
        if (template.indexOf("$") < 0) return template;
        return nativeReplace.call(template, /\$(\$|&|`|'|\d{1,2})/g, (whole, kind) => {
            if (kind === "$") return "$";
            if (kind === "&") return match[0];
            if (kind === "`") return text.slice(0, match.index);
            if (kind === "'") return text.slice(match.index + match[0].length);
            if (kind.length === 2 && (kind === "00" || Number(kind) >= match.length)) {
                const first = Number(kind[0]);
                return first && first < match.length ? (match[first] || "") + kind[1] : whole;
            }
            const group = Number(kind);
            return group && group < match.length ? match[group] || "" : whole;
        });
    }
    function stepFrom(text, at, unicode) { return unicode && text.codePointAt(at) > 0xffff ? 2 : 1; }
    replace(String.prototype, {
        replace(pattern, by) {
            const text = String(this);
            if (!(pattern instanceof NativeRegExp) || !pattern.global) return nativeReplace.call(text, pattern, by);
            const template = typeof by === "function" ? null : String(by);
            const parts = [];
            let end = 0;
            pattern.lastIndex = 0;
            for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
                parts.push(text.slice(end, match.index));
                parts.push(template === null ? String(by.apply(undefined, match.concat([match.index, text])))
                                             : expanded(template, match, text));
                end = match.index + match[0].length;
                if (match[0] === "") pattern.lastIndex += stepFrom(text, end, pattern.unicode);
            }
            pattern.lastIndex = 0;
            return nativeJoin.call(parts, "") + text.slice(end);
        },
        split(separator, limit) {
            const text = String(this);
            if (!(separator instanceof NativeRegExp)) return nativeSplit.call(text, separator, limit);
            const most = limit === undefined ? 4294967295 : limit >>> 0;
            const finder = new NativeRegExp(separator.source, "g" + (separator.ignoreCase ? "i" : "") +
                                            (separator.multiline ? "m" : "") + (separator.unicode ? "u" : ""));
            if (text === "") return most === 0 || finder.test(text) ? [] : [text];
            const parts = [];
            let start = 0;
            for (let from = 0; from < text.length && parts.length < most;) {
                finder.lastIndex = from;
                const match = finder.exec(text);
                if (!match || match.index >= text.length) break;
                const end = match.index + match[0].length;
                if (end === start) {
                    from = match.index + stepFrom(text, match.index, separator.unicode);
                    continue;
                }
                parts.push(text.slice(start, match.index));
                for (let i = 1; i < match.length; ++i) parts.push(match[i]);
                start = from = end;
            }
            parts.push(text.slice(start));
            return parts.slice(0, most);
        }
    });

    const nativeParse = JSON.parse;
    const nativeStringify = JSON.stringify;
    function revived(holder, key, reviver) {
        const value = holder[key];
        if (value && typeof value === "object") {
            Object.keys(value).forEach(name => {
                const changed = revived(value, name, reviver);
                if (changed === undefined) delete value[name];
                else value[name] = changed;
            });
        }
        return reviver.call(holder, key, value);
    }
    // A plain copy of what a replacer leaves of a value; the engine calls replacers without their holder and
    // takes no lists of names.
    function replaced(holder, key, replacer, names) {
        let value = holder[key];
        if (value && typeof value.toJSON === "function") value = value.toJSON(key);
        if (replacer) value = replacer.call(holder, key, value);
        if (!value || typeof value !== "object" || value instanceof Number || value instanceof String ||
            value instanceof Boolean)
            return value;
        if (Array.isArray(value)) return value.map((item, i) => replaced(value, String(i), replacer, names));
        const copy = {};
        (names || Object.keys(value)).forEach(name => {
            if (name in value) copy[name] = replaced(value, name, replacer, names);
        });
        return copy;
    }
    replace(JSON, {
        parse(text, reviver) {
            const value = nativeParse(text);
            return typeof reviver === "function" ? revived({ "": value }, "", reviver) : value;
        },
        stringify(value, replacer, space) {
            const names = Array.isArray(replacer) ? Array.from(new Set(replacer.map(String))) : null;
            const calls = typeof replacer === "function" ? replacer : null;
            if (!names && !calls) return nativeStringify(value, null, space);
            return nativeStringify(replaced({ "": value }, "", calls, names), null, space);
        }
    });

    const days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
    const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    function two(number) { return (number < 10 ? "0" : "") + number; }
    function zone(date) {
        const minutes = -date.getTimezoneOffset();
        const size = Math.abs(minutes);
        return "GMT" + (minutes < 0 ? "-" : "+") + two(Math.trunc(size / 60)) + two(size % 60);
    }
    function dateText(form) {
        return function () { return isNaN(this.getTime()) ? "Invalid Date" : form(this); };
    }
    function dayText(d) { return days[d.getDay()] + " " + months[d.getMonth()] + " " + two(d.getDate()) + " " + d.getFullYear(); }
    function clockText(d) {
        const name = native.zoneName(d.getTime());
        return two(d.getHours()) + ":" + two(d.getMinutes()) + ":" + two(d.getSeconds()) + " " + zone(d) + " (" + name + ")";
    }
    function utcText(d) {
        return days[d.getUTCDay()] + ", " + two(d.getUTCDate()) + " " + months[d.getUTCMonth()] + " " + d.getUTCFullYear() + " " +
            two(d.getUTCHours()) + ":" + two(d.getUTCMinutes()) + ":" + two(d.getUTCSeconds()) + " GMT";
    }
    // American, as Node prints without further arguments.
    function localDay(d) { return (d.getMonth() + 1) + "/" + d.getDate() + "/" + d.getFullYear(); }
    function localClock(d) {
        const hours = d.getHours();
        return (hours % 12 || 12) + ":" + two(d.getMinutes()) + ":" + two(d.getSeconds()) + (hours < 12 ? " AM" : " PM");
    }
    replace(Date.prototype, {
        toString: dateText(d => dayText(d) + " " + clockText(d)),
        toDateString: dateText(dayText),
        toTimeString: dateText(clockText),
        toUTCString: dateText(utcText),
        toGMTString: dateText(utcText),
        toLocaleDateString: dateText(localDay),
        toLocaleTimeString: dateText(localClock),
        toLocaleString: dateText(d => localDay(d) + ", " + localClock(d))
    });
    define(Number.prototype, "toLocaleString", function toLocaleString() {
        const parts = String(Math.round(Math.abs(this) * 1000) / 1000).split(".");
        if (!isFinite(this) || parts[0].indexOf("e") >= 0) return String(this);
        return (this < 0 ? "-" : "") + parts[0].replace(/\B(?=(\d{3})+$)/g, ",") + (parts[1] ? "." + parts[1] : "");
    });

    // ---- console, process, timers

    function shown(value) {
        if (typeof value === "string") return value;
        if (value instanceof Error) return String(value);
        if (value && typeof value === "object") {
            try { return nativeStringify(value); } catch (error) { return String(value); }
        }
        return String(value);
    }
    /// Node's util.format: %s %d %i %f %j %o %O %%.
    function format(values) {
        let next = 1;
        let text = shown(values[0]);
        if (typeof values[0] === "string") {
            text = text.replace(/%([sdifjoO%])/g, (whole, kind) => {
                if (kind === "%") return "%";
                if (next >= values.length) return whole;
                const value = values[next++];
                if (kind === "d" || kind === "f") return String(Number(value));
                if (kind === "i") return String(parseInt(value, 10));
                return kind === "s" ? shown(value) : String(nativeStringify(value));
            });
        }
        return [text].concat(values.slice(next).map(shown)).join(" ");
    }
    function writer(level) { return function (...values) { native.log(level, values.length ? format(values) : ""); }; }
    define(global, "console", {
        debug: writer("debug"), log: writer("info"), info: writer("info"), warn: writer("warn"), error: writer("error"),
        trace: writer("debug")
    });
    define(global, "process", {
        env: variables, platform: "linux", argv: [], nextTick(work, ...values) { queueMicrotask(() => work(...values)); }
    });

    const timers = new Map();
    let lastTimer = 0;
    let owner = 0; // the call on whose behalf the engine runs now
    function start(work, delay, values, every) {
        if (typeof work !== "function") throw new TypeError("The \"callback\" argument must be of type function");
        const id = ++lastTimer;
        const wait = Number(delay) >= 1 && Number(delay) <= 2147483647 ? Math.trunc(delay) : 1;
        timers.set(id, { work: work, values: values, wait: wait, every: every, owner: owner });
        native.later(id, wait);
        return id;
    }
    function stop(id) { timers.delete(id); }
    define(global, "setTimeout", function setTimeout(work, delay, ...values) { return start(work, delay, values, false); });
    define(global, "setInterval", function setInterval(work, delay, ...values) { return start(work, delay, values, true); });
    define(global, "setImmediate", function setImmediate(work, ...values) { return start(work, 1, values, false); });
    define(global, "clearTimeout", stop);
    define(global, "clearInterval", stop);
    define(global, "clearImmediate", stop);

    return {
        format: format,
        stringify: nativeStringify,
        parse: nativeParse,
        define: define,
        setOwner(id) { owner = id; },
        owner() { return owner; },
        /// Runs a timer's work; its owner is then the one to be told of an exception.
        fire(id) {
            const timer = timers.get(id);
            if (!timer) return;
            if (!timer.every) timers.delete(id);
            owner = timer.owner;
            timer.work(...timer.values);
            if (timer.every && timers.has(id)) native.later(id, timer.wait);
        }
    };
})
