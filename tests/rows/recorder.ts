import { AsyncLocalStorage } from 'node:async_hooks'
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { sql } from 'kysely'
import type { QueryResult, RawBuilder } from 'kysely'
import pg from 'pg'
import { noColumns, noteObject } from './shape.ts'
import type { Answered } from './shape.ts'

/**
 * Notes what each SQL statement of this process answered, by the text of its template, which names its place in the sources.
 * `compare.ts` holds it against the types written there.
 */
const folder = process.env.ROWS_SEEN

/** Rows of one answer that are looked at, and answers of one place of which each is looked at. */
const MOST_ROWS = 200
const MOST_ANSWERS = 300

if (folder) {
  const seen = new Map<string, { answered: Answered; answers: number }>()
  let news = false
  const described = (fields: readonly pg.FieldDef[] | undefined) =>
    fields?.length ? Object.fromEntries(fields.map(({ name, dataTypeID }) => [name, dataTypeID])) : undefined

  const note = (text: string, rows: readonly unknown[], fields: readonly pg.FieldDef[] | undefined): void => {
    // Statements of different places may be written alike, and differ in what stands between: they answer other columns.
    const key = `${text}\u0001${(fields ?? []).map((one) => one.name).join()}`
    let place = seen.get(key)
    if (!place) seen.set(key, (place = { answered: { rows: noColumns() }, answers: 0 }))
    const { answered } = place
    if (!answered.described) {
      const columns = described(fields)
      if (columns) {
        answered.described = columns
        news = true
      }
    }
    if (++place.answers > MOST_ANSWERS && place.answers % 20) return
    for (const row of rows.slice(0, MOST_ROWS) as Record<string, unknown>[]) {
      // The first row of a list (`kit/server/resource/list.ts`) tells of all of them; its other columns are empty.
      if (row.__head) continue
      news = noteObject(answered.rows, row) || news
    }
  }

  /** The statement of a template that is under way, so that what the driver answers belongs to it. */
  const underWay = new AsyncLocalStorage<{ fields?: readonly pg.FieldDef[]; answered?: true }>()

  // The class behind `sql` is not exported; every template is one of it.
  const builder = Object.getPrototypeOf(sql`select 1`) as { execute: RawBuilder<unknown>['execute'] }
  const execute = builder.execute
  builder.execute = async function (this: RawBuilder<unknown>, db) {
    const { sqlFragments } = (this.toOperationNode as () => { sqlFragments: readonly string[] }).call(this)
    const own: { fields?: readonly pg.FieldDef[]; answered?: true } = {}
    // What a template began and what outlives it (a connection that listens, say) is not of it any more.
    const result = (await underWay
      .run(own, () => execute.call(this, db))
      .finally(() => (own.answered = true))) as QueryResult<unknown>
    note(sqlFragments.join('\0'), result.rows ?? [], own.fields)
    return result
  }

  type Sent = (...given: unknown[]) => unknown
  const client = pg.Client.prototype as unknown as { query: Sent }
  const send = client.query
  client.query = function (this: unknown, ...given: unknown[]) {
    const begun = underWay.getStore()
    const own = begun?.answered ? undefined : begun
    const [statement] = given
    const { name, text } = (typeof statement === 'object' ? statement : { text: statement }) as pg.QueryConfig
    const heard = (result: pg.QueryResult | undefined): void => {
      if (!result || !Array.isArray(result.rows)) return
      if (own) own.fields = result.fields
      else if (typeof text === 'string')
        note(name && !/^s\d+$/.test(name) ? `named ${name}` : text, result.rows, result.fields)
    }
    const last = given.at(-1)
    if (typeof last === 'function') {
      return send.call(this, ...given.slice(0, -1), (error: unknown, result: pg.QueryResult) => {
        heard(result)
        ;(last as Sent)(error, result)
      })
    }
    const answer = send.call(this, ...given)
    if (answer instanceof Promise)
      void answer.then(
        (result) => heard(result as pg.QueryResult),
        () => {},
      )
    return answer
  }

  mkdirSync(folder, { recursive: true })
  const file = path.join(folder, `${process.pid}-${Date.now()}.json`)
  const write = (): void => {
    if (!news) return
    news = false
    // Whoever is killed meanwhile leaves what was written before.
    writeFileSync(`${file}.part`, JSON.stringify([...seen].map(([key, { answered }]) => [key, answered])))
    renameSync(`${file}.part`, file)
  }
  setInterval(write, 3000).unref()
  process.on('exit', write)
  process.on('disconnect', write)
  // Whoever stops a process this way, as Vitest does with its own, lets it end; with a listener of its own it ends itself.
  process.on('SIGTERM', () => {
    write()
    if (process.listenerCount('SIGTERM') === 1) process.exit(143)
  })
}
