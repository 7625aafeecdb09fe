import type { Command, Option } from 'commander';
import { complain } from '../complain';
import { EXIT, type ExitCode } from '../exit';
import type { OuterWorld } from '../world';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

interface CompletedOption {
  /** `--format`, and the short form if there is one. */
  readonly names: readonly string[];
  readonly description: string;
  readonly takes: 'nothing' | 'file' | 'word';
}

interface CompletedVerb {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly CompletedOption[];
  /** `test` of `policy`. */
  readonly verbs: readonly string[];
}

/** Prints a shell's completion script, made of the verbs and options that the program has. */
export function completion(name: string, berth: Command, world: OuterWorld): ExitCode {
  const shell = SHELLS.find(it => it === name);
  if (shell === undefined) {
    complain(world, `There is no completion for "${name}"; there is one for ${SHELLS.join(', ')}.`);
    return EXIT.failed;
  }
  world.out(SCRIPTS[shell](berth.commands.map(verbOf)));
  return EXIT.clean;
}

function verbOf(command: Command): CompletedVerb {
  const own = command.options.filter(it => !it.hidden).map(optionOf);
  const help = { names: ['-h', '--help'], description: 'display help for command', takes: 'nothing' } as const;
  return {
    name: command.name(),
    summary: command.summary() || command.description(),
    options: [...own, help],
    verbs: command.commands.map(it => it.name()),
  };
}

function optionOf({ short, long, description, flags, required, optional }: Option): CompletedOption {
  const names = [short, long].filter(it => it !== undefined);
  if (!required && !optional) return { names, description, takes: 'nothing' };
  return { names, description, takes: /<FILE>/.test(flags) ? 'file' : 'word' };
}

const SCRIPTS: Readonly<Record<Shell, (verbs: readonly CompletedVerb[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** Files are completed wherever no option is begun. */
function bashScript(verbs: readonly CompletedVerb[]): string {
  const cases = verbs.map(it => {
    const words = it.options.flatMap(option => option.names).join(' ');
    return `    ${it.name}) words="${words}" verbs="${it.verbs.join(' ')}" ;;`;
  });
  return `# source <(berth completion bash)
_berth() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words="" verbs=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${verbs.map(it => it.name).join(' ')}" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  if [[ "$current" == -* ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  elif [ -n "$verbs" ] && [ "$COMP_CWORD" -eq 2 ]; then
    COMPREPLY=($(compgen -W "$verbs" -- "$current"))
  else
    COMPREPLY=($(compgen -f -- "$current"))
  fi
}
complete -o filenames -F _berth berth
`;
}

function zshScript(verbs: readonly CompletedVerb[]): string {
  const names = verbs.map(it => `    ${quoted(`${it.name}:${it.summary}`)}`);
  const cases = verbs.map(it => {
    const options = it.options.flatMap(option => option.names.map(name => `        ${zshOption(name, option)}`));
    const rest = it.verbs.length === 0 ? "'*:path:_files'" : quoted(`1:command:(${it.verbs.join(' ')})`);
    return `    ${it.name})\n      _arguments \\\n${options.join(' \\\n')} \\\n        ${rest} ;;`;
  });
  return `#compdef berth
# source <(berth completion zsh)
_berth() {
  local -a verbs
  verbs=(
${names.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe 'command' verbs
    return
  fi
  local verb="\${words[2]}"
  shift words
  (( CURRENT-- ))
  case "$verb" in
${cases.join('\n')}
  esac
}
compdef _berth berth
`;
}

function zshOption(name: string, { description, takes }: CompletedOption): string {
  const about = description.replace(/[[\]:]/g, '\\$&');
  const value = { nothing: '', word: ':value:', file: ':file:_files' }[takes];
  return quoted(`${name}[${about}]${value}`);
}

function fishScript(verbs: readonly CompletedVerb[]): string {
  const names = verbs.map(it => `complete -c berth -n __fish_use_subcommand -f -a ${it.name} -d ${quoted(it.summary)}`);
  const options = verbs.flatMap(verb =>
    verb.options.map(({ names: all, description, takes }) => {
      const words = all.map(it => (it.startsWith('--') ? `-l ${it.slice(2)}` : `-s ${it.slice(1)}`)).join(' ');
      const value = { nothing: '', word: ' -x', file: ' -r' }[takes];
      return `complete -c berth -n '__fish_seen_subcommand_from ${verb.name}' ${words}${value} -d ${quoted(description)}`;
    }),
  );
  const nested = verbs.flatMap(verb =>
    verb.verbs.map(it => `complete -c berth -n '__fish_seen_subcommand_from ${verb.name}' -f -a ${it}`),
  );
  return `# berth completion fish | source\n${[...names, ...nested, ...options].join('\n')}\n`;
}

/** A word in the single quotes of a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
