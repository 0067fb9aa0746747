import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { createPool } from '#db/connect.ts'
import { startEmbedded } from '#db/embedded.ts'
import { programUrl } from '#db/roles.ts'
import { temporaryFolder } from '#db/testing.ts'
import { readConfig } from '#kit/server/base/config.ts'
import { createLog } from '#kit/server/base/log.ts'
import { createSession } from '#kit/server/identity/sessions.ts'
import { prepareDatabase } from '../../apps/server/assemble.ts'
import { setTimeout as sleep } from 'node:timers/promises'

const root = path.join(import.meta.dirname, '../..')

/** A port that is free now. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  return port
}

/**
 * A data folder with a database in which there is one person, so that the demo university is not loaded when the program
 * starts on it; and the person's session.
 */
export async function peopledFolder(name: string): Promise<{ folder: string; token: string }> {
  const folder = temporaryFolder(name)
  const embedded = await startEmbedded({ folder })
  try {
    await prepareDatabase(
      { program: programUrl(embedded.url), owner: embedded.url },
      createLog(readConfig({ LOG_LEVEL: 'silent' })),
    )
    const pool = createPool(embedded.url, { max: 1 })
    const { rows } = await pool.query<{ id: number }>(
      `insert into users (type, name, name_local, is_super_admin, is_root) values (2, 'Head', 'المدير', true, true) returning id`,
    )
    const { token } = await createSession(pool, { user_id: rows[0]!.id, ip: null })
    await pool.end()
    return { folder, token }
  } finally {
    await embedded.stop()
  }
}

/** The program as a process of its own, as its users start it. */
export interface Program {
  readonly child: ChildProcess
  /** Everything it has said so far. */
  readonly said: () => string
  /** Resolves when it answers; fails when it ends before. */
  ready(): Promise<void>
  /** Ends it at once, as a power cut would. */
  kill(): Promise<void>
  /** Its exit code, once it has ended. */
  ended(): Promise<number | null>
}

/** Starts `apps/server/{script}` with some settings on a port. */
export function startProgram(
  script: 'main.ts' | 'start.ts' | 'dev.ts',
  port: number,
  env: Record<string, string>,
): Program {
  const child = spawn(process.execPath, [path.join(root, 'apps/server', script)], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      HOST: '127.0.0.1',
      PORT: String(port),
      LOG_LEVEL: 'warn',
      ...(script === 'main.ts' && { SECRETS_KEY: 'of tests: 7hQ2vX9mB4tR8kD1sW6yJ3nF5cL0zP' }),
      ...(env.DATA_DIR && { MAIL_FOLDER: path.join(env.DATA_DIR, 'mail') }),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  child.stdout?.on('data', (part: Buffer) => (text += part.toString()))
  child.stderr?.on('data', (part: Buffer) => (text += part.toString()))
  const ended = once(child, 'exit').then(() => child.exitCode)
  return {
    child,
    said: () => text,
    async ready() {
      for (let tries = 0; tries < 1200; tries++) {
        if (child.exitCode !== null || child.signalCode !== null) throw new Error(`the program ended: ${text}`)
        if (
          await fetch(`http://127.0.0.1:${port}/api/ready`).then(
            (r) => r.ok,
            () => false,
          )
        )
          return
        await sleep(50)
      }
      throw new Error(`the program does not answer: ${text}`)
    },
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    ended: () => ended,
  }
}

/** What a call was answered with; null: the connection broke, and nobody knows whether it was done. */
export type Reply = { readonly status: number; readonly body: any } | null

/** Sends a call once. */
export async function send(port: number, token: string, method: string, url: string, body?: unknown): Promise<Reply> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/api${url}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(20_000),
    })
    return { status: answer.status, body: await answer.json() }
  } catch {
    return null
  }
}
