import { type CliPlace, pathPattern } from './places.ts'

/** If bash splits words at colons, a completion must contain only the part after the last colon. */
const AFTER_COLON = `; [[ $COMP_WORDBREAKS == *:* ]] && COMPREPLY=("\${COMPREPLY[@]#"\${cur%"\${cur##*:}"}"}")`
/** Completes the last item of a comma-separated value. */
const values = (all: readonly string[]): string =>
  `COMPREPLY=($(compgen -P "\${cur%"\${cur##*,}"}" -W '${all.join(' ')}' -- "\${cur##*,}"))${all.some((one) => one.includes(':')) ? AFTER_COLON : ''}`
const words = (all: readonly string[]): string => `COMPREPLY=($(compgen -W '${all.join(' ')}' -- "$cur"))`

function valueCases({ path, options }: CliPlace): string[] {
  return options
    .filter(({ takes_value }) => takes_value)
    .map(({ flags, choices }) => {
      const patterns = flags.map((flag) => `'${path} ${flag}'`).join('|')
      return `    ${patterns}) ${choices.length > 0 ? values(choices) : 'compopt +o default 2>/dev/null'}; return ;;`
    })
}

/** Without a match, bash completes file names (`-o default`). */
function wordCase({ path, commands, choices, takes_files }: CliPlace): string {
  const all = [...commands.map(({ name }) => name), ...choices]
  const nothing = takes_files ? ':' : 'compopt +o default 2>/dev/null'
  return `    '${path}') ${all.length > 0 ? words(all) : nothing} ;;`
}

export const bashScript = (
  places: readonly CliPlace[],
): string => `# Completion of octavo for bash: source <(octavo completion bash)
_octavo() {
  local cur= prev= before= at=octavo i
  COMPREPLY=()
  for ((i = 0; i <= COMP_CWORD; i++)); do
    if [[ $i -gt 1 && ( \${COMP_WORDS[i]} == :* || $before == *: ) ]]; then cur+=\${COMP_WORDS[i]}
    else prev=$cur cur=\${COMP_WORDS[i]}; fi
    before=\${COMP_WORDS[i]}
  done
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at \${COMP_WORDS[i]}" in
      ${pathPattern(places, '|')}) at="$at \${COMP_WORDS[i]}" ;;
    esac
  done
  case "$at $prev" in
${places.flatMap(valueCases).join('\n')}
  esac
  if [[ $cur == -* ]]; then
    case $at in
${places.map(({ path, options }) => `    '${path}') ${words(options.flatMap(({ flags }) => flags))} ;;`).join('\n')}
    esac
    return
  fi
  case $at in
${places.map(wordCase).join('\n')}
  esac
}
complete -o bashdefault -o default -F _octavo octavo
`
