// Node's Buffer, as far as scripts use it: bytes with index access, over the engine's Uint8Array.
(function (global, native, define) {
    "use strict";

    const encodings = {
        "utf8": "utf8", "utf-8": "utf8", "hex": "hex", "base64": "base64", "base64url": "base64url", "latin1": "latin1",
        "binary": "latin1", "ascii": "ascii", "ucs2": "utf16le", "ucs-2": "utf16le", "utf16le": "utf16le", "utf-16le": "utf16le"
    };
    function encodingOf(name) {
        const known = name === undefined || name === null || name === "" ? "utf8" : encodings[String(name).toLowerCase()];
        if (!known) throw new TypeError("Unknown encoding: " + name);
        return known;
    }
    function view(bytes, offset, length) {
        const array = new Uint8Array(bytes, offset, length);
        Object.setPrototypeOf(array, Buffer.prototype);
        return array;
    }
    function bytesOf(value, encoding) {
        return typeof value === "string" ? Buffer.from(value, encoding) : value;
    }
    function bound(value, length, otherwise) {
        if (value === undefined) return otherwise;
        const whole = Math.trunc(value) || 0;
        return Math.min(whole < 0 ? Math.max(length + whole, 0) : whole, length);
    }

    function Buffer(value, encodingOrOffset, length) {
        return typeof value === "number" ? Buffer.alloc(value) : Buffer.from(value, encodingOrOffset, length);
    }
    Buffer.prototype = Object.create(Uint8Array.prototype);
    define(Buffer.prototype, "constructor", Buffer);
    Object.setPrototypeOf(Buffer, Uint8Array);

    function method(name, work) { define(Buffer.prototype, name, work); }
    function make(name, work) { define(Buffer, name, work); }

    make("from", function from(value, encodingOrOffset, length) {
        if (value === "") return view(new ArrayBuffer(0));
        if (typeof value === "string") return view(native.encode(value, encodingOf(encodingOrOffset)));
        if (value instanceof ArrayBuffer) return view(value, encodingOrOffset, length);
        if (value && value.type === "Buffer" && Array.isArray(value.data)) return Buffer.from(value.data);
        if (value === undefined || value === null || typeof value !== "object")
            throw new TypeError("The first argument must be of type string or an instance of Buffer, ArrayBuffer, or Array");
        const primitive = value.valueOf();
        if (typeof primitive === "string") return Buffer.from(primitive, encodingOrOffset);
        const array = new Uint8Array(value);
        return view(array.buffer, array.byteOffset, array.length);
    });
    make("alloc", function alloc(size, fill, encoding) {
        if (typeof size !== "number" || !(size >= 0)) throw new RangeError("The value of \"size\" is out of range: " + size);
        const buffer = view(new ArrayBuffer(Math.trunc(size)));
        return fill === undefined || fill === 0 ? buffer : buffer.fill(fill, encoding);
    });
    make("allocUnsafe", function allocUnsafe(size) { return Buffer.alloc(size); });
    make("isBuffer", function isBuffer(value) { return value instanceof Buffer; });
    make("isEncoding", function isEncoding(name) { return String(name).toLowerCase() in encodings; });
    make("byteLength", function byteLength(value, encoding) {
        return typeof value === "string" ? Buffer.from(value, encoding).length : value.byteLength;
    });
    make("compare", function compare(a, b) { return a.compare(b); });
    make("concat", function concat(list, total) {
        if (list.length === 0) return Buffer.alloc(0);
        const length = total === undefined ? list.reduce((sum, part) => sum + part.length, 0) : total;
        const whole = Buffer.alloc(length);
        let at = 0;
        list.forEach(part => {
            const fits = part.subarray(0, Math.max(length - at, 0));
            whole.set(fits, at);
            at += fits.length;
        });
        return whole;
    });

    method("toString", function toString(encoding, start, end) {
        const from = bound(start, this.length, 0);
        const to = bound(end, this.length, this.length);
        return native.decode(this.buffer, this.byteOffset + from, Math.max(to - from, 0), encodingOf(encoding));
    });
    method("toJSON", function toJSON() { return { type: "Buffer", data: Array.from(this) }; });
    method("subarray", function subarray(start, end) {
        const from = bound(start, this.length, 0);
        const to = bound(end, this.length, this.length);
        return view(this.buffer, this.byteOffset + from, Math.max(to - from, 0));
    });
    method("slice", Buffer.prototype.subarray);
    method("compare", function compare(other) {
        const shared = Math.min(this.length, other.length);
        for (let i = 0; i < shared; ++i) if (this[i] !== other[i]) return this[i] < other[i] ? -1 : 1;
        return Math.sign(this.length - other.length);
    });
    method("equals", function equals(other) { return this.compare(other) === 0; });
    method("indexOf", function indexOf(value, from, encoding) {
        if (typeof from === "string") return this.indexOf(value, 0, from);
        const needle = typeof value === "number" ? [value & 255] : bytesOf(value, encoding);
        for (let i = bound(from, this.length, 0); i + needle.length <= this.length; ++i) {
            let k = 0;
            while (k < needle.length && this[i + k] === needle[k]) ++k;
            if (k === needle.length) return i;
        }
        return -1;
    });
    method("includes", function includes(value, from, encoding) { return this.indexOf(value, from, encoding) >= 0; });
    method("copy", function copy(target, targetStart, start, end) {
        const at = targetStart === undefined ? 0 : targetStart;
        const part = this.subarray(start, end).subarray(0, Math.max(target.length - at, 0));
        target.set(part, at);
        return part.length;
    });
    method("write", function write(text, offset, length, encoding) {
        if (typeof offset === "string") return this.write(text, 0, undefined, offset);
        if (typeof length === "string") return this.write(text, offset, undefined, length);
        const at = offset === undefined ? 0 : offset;
        const room = Math.min(length === undefined ? Infinity : length, this.length - at);
        return Buffer.from(text, encoding).copy(this.subarray(0, at + room), at);
    });
    const nativeFill = Uint8Array.prototype.fill;
    method("fill", function fill(value, start, end, encoding) {
        if (typeof start === "string") return this.fill(value, 0, this.length, start);
        if (typeof value === "number") return nativeFill.call(this, value & 255, start, end);
        const pattern = bytesOf(value, encoding);
        const to = bound(end, this.length, this.length);
        for (let i = bound(start, this.length, 0), k = 0; i < to; ++i, ++k)
            this[i] = pattern.length ? pattern[k % pattern.length] : 0;
        return this;
    });

    // readInt16LE and its family, through a DataView.
    function place(buffer, offset, size) {
        const at = offset === undefined ? 0 : offset;
        if (typeof at !== "number") throw new TypeError("The \"offset\" argument must be of type number");
        if (!(at >= 0 && at + size <= buffer.length) || Math.trunc(at) !== at)
            throw new RangeError("The value of \"offset\" is out of range. It must be >= 0 and <= " +
                                 (buffer.length - size) + ". Received " + at);
        return new DataView(buffer.buffer, buffer.byteOffset + at, size);
    }
    function checkRange(value, low, high) {
        if (value < low || value > high)
            throw new RangeError("The value of \"value\" is out of range. It must be >= " + low + " and <= " + high +
                                 ". Received " + value);
    }
    function access(name, kind, size, range) {
        (size === 1 ? [""] : ["LE", "BE"]).forEach(order => {
            const little = order === "LE";
            const read = function (offset) { return place(this, offset, size)["get" + kind](0, little); };
            const write = function (value, offset) {
                if (range) checkRange(value, range[0], range[1]);
                place(this, offset, size)["set" + kind](0, value, little);
                return (offset || 0) + size;
            };
            const names = name.startsWith("UInt") ? [name, name.replace("UInt", "Uint")] : [name];
            names.forEach(each => {
                method("read" + each + order, read);
                method("write" + each + order, write);
            });
        });
    }
    [8, 16, 32].forEach(bits => {
        access("Int" + bits, "Int" + bits, bits / 8, [-Math.pow(2, bits - 1), Math.pow(2, bits - 1) - 1]);
        access("UInt" + bits, "Uint" + bits, bits / 8, [0, Math.pow(2, bits) - 1]);
    });
    access("Float", "Float32", 4);
    access("Double", "Float64", 8);

    // The forms with a length in bytes, up to six.
    function value(buffer, offset, size, little) {
        place(buffer, offset, size);
        let sum = 0;
        for (let i = 0; i < size; ++i) sum = sum * 256 + buffer[offset + (little ? size - 1 - i : i)];
        return sum;
    }
    ["LE", "BE"].forEach(order => {
        const little = order === "LE";
        const unsigned = function (offset, size) { return value(this, offset, size, little); };
        method("readUInt" + order, unsigned);
        method("readUint" + order, unsigned);
        method("readInt" + order, function (offset, size) {
            const sum = value(this, offset, size, little);
            return sum >= Math.pow(2, 8 * size - 1) ? sum - Math.pow(2, 8 * size) : sum;
        });
        const write = function (number, offset, size) {
            place(this, offset, size);
            let rest = number < 0 ? number + Math.pow(2, 8 * size) : number;
            for (let i = 0; i < size; ++i, rest = Math.floor(rest / 256)) this[offset + (little ? i : size - 1 - i)] = rest % 256;
            return offset + size;
        };
        ["writeUInt", "writeUint", "writeInt"].forEach(name => method(name + order, write));
    });

    define(global, "Buffer", Buffer);
    define(global, "btoa", text => Buffer.from(String(text), "latin1").toString("base64"));
    define(global, "atob", text => Buffer.from(String(text), "base64").toString("latin1"));
})
