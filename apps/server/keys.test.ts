import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FACTORS } from '#areas/people/access-and-people/second-factor/factors.server.ts'
import { SEAL, signSheets } from '#areas/records/grading/signing/sign.server.ts'
import { verifyGrades } from '#areas/records/grading/signing/verify.server.ts'
import type { TestDatabase } from '#db/testing.ts'
import { ConfigError, readConfig } from '#kit/server/base/config.ts'
import { sealOf, sealWith } from '#kit/server/identity/sealed.ts'
import { createTestDatabase } from '#db/testing.ts'
import { demoDatabase } from '#tests/demo.ts'
import { loadsDemo, refuseDemoForOthers } from './demo-guard.ts'
import { withNewKey, withOwnKey } from './own-key.ts'
import { reseal } from './reseal.ts'

const NEW = 'nYw4m0Jq7cTzVb2LxR9sKe5HuGfD1aPi'
let database: TestDatabase
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'ems-keys-'))
  database = await demoDatabase()
}, 360_000)
afterAll(async () => {
  await database?.drop()
  rmSync(folder, { recursive: true, force: true })
})

test('a university on this machine has a key beside its database, for its owner alone', () => {
  const config = readConfig({ DATA_DIR: folder })
  expect(withOwnKey(config).secretsKey).toBe(null)
  const first = withNewKey(config)
  expect(first.secretsKey).toMatch(/^[\w-]{43}$/)
  expect(withNewKey(config).secretsKey).toBe(first.secretsKey)
  expect(withOwnKey(config)).toMatchObject({ secretsKey: first.secretsKey, secretsKeyBefore: '' })
  const file = path.join(folder, 'secrets.key')
  expect([statSync(file).mode & 0o777, readFileSync(file, 'utf8').trim()]).toEqual([0o600, first.secretsKey])
  // A key that is told, and a database that is somebody's, stand for themselves.
  expect(withNewKey(readConfig({ DATA_DIR: folder, SECRETS_KEY: NEW }))).toMatchObject({
    secretsKey: NEW,
    secretsKeyBefore: null,
  })
  expect(withNewKey(readConfig({ DATA_DIR: folder, DATABASE_URL: 'postgres://x/y' })).secretsKey).toBe(null)
})

test('what was sealed without a key goes on with one: authenticator apps, and the chain of grade sheets', async () => {
  const { pool, db } = database
  const about = '1'
  const without = await sealWith({ pool }, '', FACTORS)
  const secret = Buffer.from('the key of an app')
  await sql`insert into totp_secrets (user_id, secret, pending) values (1, ${without.seal(secret, about)}, ${without.seal(secret, about)})`.execute(
    db,
  )
  // Sheets were signed by a server that had no key.
  const old = await sealWith({ pool }, '', SEAL)
  const signer = { cause: 'correction', actor_id: null, impersonator_id: null, reason: null }
  const { rows } = await sql<{ id: number }>`select offering_id as id from grade_links order by number limit 2`.execute(
    db,
  )
  for (const { id } of rows)
    await db.transaction().execute((tx) => signSheets(tx, [id], { ...signer, seal: old }, true))
  expect((await verifyGrades(db, { seal: old })).count).toBe(0)

  const config = readConfig({ SECRETS_KEY: NEW, SECRETS_KEY_BEFORE: 'none' })
  const now = await sealOf({ pool, config }, SEAL)
  expect((await verifyGrades(db, { seal: now })).findings.map(({ kind }) => kind)).toEqual(['seal'])
  const factors = await sealOf({ pool, config }, FACTORS)
  const sealed = async () =>
    (await sql<{ secret: Buffer }>`select secret from totp_secrets where user_id = 1`.execute(db)).rows[0]!.secret
  expect(factors.open(await sealed(), about)).toEqual(secret)

  await expect(reseal({ db, pool }, readConfig({ SECRETS_KEY: NEW }))).rejects.toThrow('SECRETS_KEY_BEFORE is needed')
  expect(await reseal({ db, pool }, config)).toEqual({ factors: 2, papers: 0, ballots: 0, refusals: 0, chain: true })
  expect(await reseal({ db, pool }, config)).toEqual({ factors: 0, papers: 0, ballots: 0, refusals: 0, chain: false })
  expect((await verifyGrades(db, { seal: now })).count).toBe(0)
  // The key before opens nothing any more, and what it sealed of the chain is held by the link of the present one.
  const alone = await sealWith({ pool }, NEW, FACTORS)
  expect(alone.open(await sealed(), about)).toEqual(secret)
  expect(() => without.open(Buffer.from(factors.seal(secret, about)), about)).toThrow()
  expect(factors.digests('x')).toEqual([factors.digest('x'), without.digest('x')])

  // Whoever knows the key before writes no new end.
  const { rows: last } = await sql<{
    number: string
    hash: string
  }>`select number, hash from grade_links order by number desc limit 1`.execute(db)
  await db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`update grade_links set seal = ${old.digest(last[0]!.hash).toString('hex')} where number = ${last[0]!.number}`.execute(
      tx,
    )
  })
  expect((await verifyGrades(db, { seal: now })).findings.map(({ kind }) => kind)).toEqual(['seal'])
})

test('grade sheets that were changed meanwhile are not sealed as right', async () => {
  const { pool, db } = database
  const config = readConfig({ SECRETS_KEY: 'J4kd8Qm2vXz7Rt1Ws9Yb5Nc3Lp6Hg0Fa', SECRETS_KEY_BEFORE: 'none' })
  await db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`update registrations set total = total - 1 where id = (select registration_id from grade_link_rows order by number limit 1)`.execute(
      tx,
    )
  })
  await expect(reseal({ db, pool }, config)).rejects.toThrow(ConfigError)
  await expect(reseal({ db, pool }, config)).rejects.toThrow('not as they were signed')
})

test('the demo university is loaded into an empty database of our own, and is for this machine alone', async () => {
  const said = (work: Promise<unknown>) => work.then(String, (error: Error) => error.message.split(/[:,]/)[0])
  const here = readConfig({})
  const reached = [
    { HOST: '0.0.0.0' },
    { PUBLIC_URL: 'https://demo.example' },
    { HOST: '192.168.1.5', PUBLIC_URL: 'http://localhost:3000' },
  ]
  const empty = await createTestDatabase()
  try {
    expect(await said(loadsDemo(empty.db, here, true))).toBe('true')
    expect(await said(loadsDemo(empty.db, here, false))).toBe('DATABASE_URL names an empty database')
    expect(await said(loadsDemo(empty.db, readConfig({ ALLOW_DEMO: '1' }), false))).toBe('true')
    for (const env of reached) {
      expect(await said(loadsDemo(empty.db, readConfig(env), true))).toMatch(
        /^The password of the demo accounts is published/,
      )
      expect(await said(loadsDemo(empty.db, readConfig({ ...env, ALLOW_DEMO: '1' }), true))).toBe('true')
      expect(await said(refuseDemoForOthers(empty.db, readConfig(env)))).toBe('undefined')
    }
  } finally {
    await empty.drop()
  }
  expect(await said(loadsDemo(database.db, here, true))).toBe('false')
  for (const env of reached) {
    expect(await said(loadsDemo(database.db, readConfig(env), true))).toBe('This database holds the demo university')
    expect(await said(refuseDemoForOthers(database.db, readConfig(env)))).toBe(
      'This database holds the demo university',
    )
    expect(await said(refuseDemoForOthers(database.db, readConfig({ ...env, ALLOW_DEMO: 'yes' })))).toBe('undefined')
  }
})
