import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { plainCredential, plainPresentation, signedBadge } from './testing.server.ts'

const COMMAND = fileURLToPath(new URL('../../../../apps/server/commands/verify-credential.ts', import.meta.url))

test('the command prints one line, and says by how it ends what it found', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'ems-credential-'))
  const run = (...args: string[]) => {
    const { stdout, stderr, status } = spawnSync(process.execPath, [COMMAND, ...args], { encoding: 'utf8' })
    return { stdout, stderr, status }
  }
  const verified = (document: object) => {
    const file = path.join(folder, 'credential.json')
    writeFileSync(file, JSON.stringify(document))
    return run(file)
  }
  try {
    const badge = await signedBadge()
    expect(verified(badge)).toEqual({
      stdout: 'valid\n',
      stderr:
        'not checked: The document of https://university.example/issuer was not read: that the key is one of the issuer is not known.\n',
      status: 0,
    })
    expect(verified({ ...badge, name: 'Diving' })).toMatchObject({
      stdout: 'refused: The signature does not fit: something was changed, or somebody else signed.\n',
      status: 1,
    })
    expect(verified({ ...plainCredential(), validFrom: 'PAST DATE' })).toMatchObject({ stdout: 'valid\n', status: 0 })
    expect(verified({ ...plainPresentation(), holder: 'x' }).stdout).toMatch(/^refused: [^\n]+\n$/)
    expect(run()).toMatchObject({ stdout: '', status: 2 })
    expect(run('a', 'b')).toMatchObject({ stdout: '', status: 2 })
    expect(run(path.join(folder, 'nothing'))).toMatchObject({ stdout: '', status: 2 })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}, 60_000)
