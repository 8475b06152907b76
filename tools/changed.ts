// The files that differ from the last commit, and the TypeScript projects that have to be compiled for them.

import { execFileSync } from 'node:child_process'

export function listChanged(root: string): string[] {
  const git = (...args: string[]): string[] =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)
  return [
    ...git('diff', '--name-only', '--diff-filter=d', 'HEAD'),
    ...git('ls-files', '--others', '--exclude-standard'),
  ].toSorted()
}

/** `cli` refers to the contract, the parsers, the SDK, the MCP tools and the server, so it stands for all of them. */
const PROJECTS: readonly (readonly [project: string, files: RegExp])[] = [
  ['cli', /^(base|contract|extract|sdk|mcp|server|cli)\//],
  ['tools', /^(tools|deploy|clients|examples)\//],
  ['proof', /^(proof\/|tools\/train-)/],
]

export const projectsOf = (files: readonly string[]): string[] =>
  PROJECTS.filter(([, pattern]) => files.some((file) => pattern.test(file))).map(([project]) => project)
