// The programs of one bundle, which share most of their modules. Each is loaded by the process or thread that runs it.
exports.server = () => require('../lsp/main');
exports.cli = () => require('../cli/main');
exports.comparing = () => require('../lsp/comparing/worker');
