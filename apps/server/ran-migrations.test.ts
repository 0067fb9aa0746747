import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { changedSinceTheyRan } from './ran-migrations.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'ran-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it('a migration that is changed, renamed or removed after it ran is named, until the database begins anew', async () => {
  const write = (name: string, text: string) => writeFile(path.join(folder, name), text)
  await write('0001_a.sql', 'create table a (id int);')
  await write('0002_b.sql', 'create table b (id int);')
  expect(changedSinceTheyRan(folder, folder)).toEqual([])
  expect(changedSinceTheyRan(folder, folder)).toEqual([])
  await write('0003_c.sql', 'create table c (id int);')
  expect(changedSinceTheyRan(folder, folder)).toEqual([])
  await write('0003_c.sql', 'create table c (id int, name text);')
  expect(changedSinceTheyRan(folder, folder)).toEqual(['0003_c.sql'])
  expect(changedSinceTheyRan(folder, folder)).toEqual(['0003_c.sql'])
  await rm(path.join(folder, '0002_b.sql'))
  expect(changedSinceTheyRan(folder, folder)).toEqual(['0002_b.sql', '0003_c.sql'])
  await write('0003_c.sql', 'create table c (id int);')
  await write('0002_b.sql', 'create table b (id int);')
  expect(changedSinceTheyRan(folder, folder)).toEqual([])
  await rm(path.join(folder, 'migrations.json'))
  expect(changedSinceTheyRan(folder, folder)).toEqual([])
})

it('migrations of a release that became the baseline are not missed, and what takes their place is watched', async () => {
  const own = await mkdtemp(path.join(folder, 'squashed-'))
  await writeFile(path.join(own, '0001_a.sql'), 'create table a (id int);')
  await writeFile(path.join(own, '0002_b.sql'), 'create table b (id int);')
  expect(changedSinceTheyRan(own, own)).toEqual([])
  await rm(path.join(own, '0001_a.sql'))
  await rm(path.join(own, '0002_b.sql'))
  await writeFile(path.join(own, '0001_all.sql'), 'create table a (id int); create table b (id int);')
  expect(changedSinceTheyRan(own, own, ['0001_a', '0002_b'])).toEqual([])
  await writeFile(path.join(own, '0001_all.sql'), 'create table a (id int);')
  expect(changedSinceTheyRan(own, own, ['0001_a', '0002_b'])).toEqual(['0001_all.sql'])
})
