// How the scripts of an imposter are called (mountebank's interfaces, new and old). Every function here gives
// [true, result] or [false, words for what went wrong].
(function (native, tools) {
    "use strict";

    const state = {};
    const injectState = {};
    const logger = {};
    ["debug", "info", "warn", "error"].forEach(level => {
        logger[level] = (...values) => native.log(level, values.length ? tools.format(values) : "");
    });

    function words(error) {
        return error !== null && typeof error === "object" && error.message !== undefined ? String(error.message) : String(error);
    }
    function attempt(work) {
        try {
            return [true, work()];
        } catch (error) {
            return [false, words(error)];
        }
    }
    function asText(value) {
        const text = tools.stringify(value);
        return text === undefined ? "null" : text;
    }
    /// The old interface names the request's fields on the first argument itself.
    function configuration(request, more) {
        const config = { request: request };
        Object.keys(more).forEach(key => { config[key] = more[key]; });
        if (request && (request.method || request.data)) Object.keys(request).forEach(key => { config[key] = request[key]; });
        return config;
    }
    /// Answers call `id` once: with a value, or with what a promise comes to.
    function answering(id) {
        let open = true;
        function give(succeeded, value) {
            if (!open) return;
            open = false;
            const [fine, text] = succeeded ? attempt(() => asText(value)) : [false, words(value)];
            native.answer(id, fine, text);
        }
        return function done(value) {
            if (value !== null && typeof value === "object" && typeof value.then === "function")
                value.then(result => give(true, result), error => give(false, error));
            else
                give(true, value);
        };
    }

    return {
        predicate(script, request) {
            return attempt(() => {
                const config = configuration(tools.parse(request), { state: state, logger: logger });
                return Boolean(script(config, logger, state));
            });
        },
        respond(script, id, request) {
            return attempt(() => {
                tools.setOwner(id);
                const done = answering(id);
                const config = configuration(tools.parse(request), { state: state, logger: logger, callback: done });
                const value = script(config, injectState, logger, done, state);
                if (value !== undefined) done(value);
            });
        },
        decorate(script, id, request, response) {
            return attempt(() => {
                tools.setOwner(id);
                const done = answering(id);
                const decorated = tools.parse(response);
                const config = configuration(tools.parse(request), { response: decorated, logger: logger, state: state });
                const value = script(config, decorated, logger);
                if (value !== null && typeof value === "object" && typeof value.then === "function")
                    done(value.then(result => result || decorated));
                else
                    done(value || decorated);
            });
        },
        wait(script) { return attempt(() => Number(script())); },
        generate(script, request) {
            return attempt(() => {
                const predicates = script({ request: tools.parse(request), logger: logger });
                if (!Array.isArray(predicates)) throw new TypeError("the function must return an array of predicates");
                return asText(predicates);
            });
        },
        resolve(script, data, binary) {
            return attempt(() => Boolean(script(binary ? Buffer.from(data) : data, logger)));
        },
        fire(timer) {
            const result = attempt(() => tools.fire(timer));
            return result.concat(tools.owner());
        }
    };
})
