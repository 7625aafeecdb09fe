// Stands in for @vscode/spdlog, VS Code's log writer, whose C++ would need a compiler on every machine.
// Without a log writer the editor starts, but it never writes its logs and output channels.
const { appendFileSync, mkdirSync } = require('node:fs');
const { dirname } = require('node:path');

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'critical'];

class Logger {
  #file;
  #level = 2;
  #stamped = true;
  constructor(file) {
    this.#file = file;
  }
  getLevel() {
    return this.#level;
  }
  setLevel(level) {
    this.#level = level;
  }
  setPattern() {}
  clearFormatters() {
    this.#stamped = false;
  }
  flush() {}
  drop() {}
  write(level, message) {
    if (level < this.#level) return;
    appendFileSync(
      this.#file,
      this.#stamped
        ? `${new Date().toISOString().replace('T', ' ').slice(0, -1)} [${LEVELS[level]}] ${message}\n`
        : message,
    );
  }
}
LEVELS.forEach((name, level) => {
  Logger.prototype[name] = function (message) {
    this.write(level, message);
  };
});

const create = async (_name, file) => {
  mkdirSync(dirname(file), { recursive: true });
  return new Logger(file);
};
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.createRotatingLogger = create;
exports.createAsyncRotatingLogger = create;
