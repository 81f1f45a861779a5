// What EJS templates are called with (mountebank's config files).
(function (files, stringifyJson) {
    // No strict code here: the engine would take what it compiles meanwhile for strict too, and templates use "with".

    const escapes = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&#34;", "'": "&#39;" };
    function escapeFn(value) {
        return value === undefined || value === null ? "" : String(value).replace(/[&<>'"]/g, c => escapes[c]);
    }

    return function (root) {
        /// `base` is the file that names in `path` are relative to.
        function render(path, base, locals) {
            const include = (name, more) => {
                const included = files.resolve(name, base);
                return render(included, included, Object.assign({}, locals, more));
            };
            return files.compiled(path)(locals, escapeFn, include, (name, file) => {
                const included = files.resolve(name, file === path ? base : file);
                files.compiled(included);
                return files.inlined(included);
            }, (error, file) => files.located(error, file));
        }
        // stringify(file), stringify(file, data), and the old stringify(filename, file) and stringify(filename, file, data)
        function stringify(first, second, third) {
            const old = typeof second === "string";
            const path = files.beside(old ? second : first, root);
            const text = render(path, root, locals(old ? third : second)).trim();
            return stringifyJson(text).slice(1, -1);
        }
        function locals(data) {
            return { data: data, filename: root, stringify: stringify, inject: stringify };
        }
        try {
            return [true, render(root, root, locals())];
        } catch (error) {
            return [false, error && error.ejs ? error.ejs : String(error)];
        }
    };
})
