import { AsyncLocalStorage } from 'node:async_hooks'
import { sql } from 'kysely'
import pg from 'pg'
import { transaction } from '#db/connect.ts'
import type { Db, Tx } from '#db/connect.ts'
import type { Services, Who } from '../base/context.ts'
import { mayRetry } from '../base/errors.ts'

/** Milliseconds that a waiting user waits for locked rows before the answer says that the data are busy. */
export const PATIENCE = 4_000
/** The same for jobs. */
export const PATIENCE_OF_JOBS = 60_000
/** Milliseconds that one statement of a job may take: nobody waits for it, and a university has many rows. */
export const STATEMENT_OF_JOBS = 15 * 60_000
/** How often work that met a deadlock or a serialisation failure is done again before the caller hears of it. */
const ATTEMPTS = 4
/** Work that is done again waits at least so long for what others hold. */
const LEAST_PATIENCE = 250

/** The unit of work that a flow of calls is part of, whichever context they hold: a function need not be told. */
const units = new AsyncLocalStorage<Unit>()

/** The unit of work of this database that is open around the caller. */
export function unitOf(db: Db): Unit | undefined {
  const unit = units.getStore()
  return unit?.open && unit.of === db ? unit : undefined
}

/**
 * Before the unit of work around the caller commits, this is done, once for each key, when everything else is. Without a
 * unit around (loaders of whole universities) nothing is.
 *
 * @param options.unless true: what was said before for this key stays
 */
export function beforeCommit(
  tx: Tx,
  key: string,
  work: (unit: Unit) => Promise<void>,
  { unless = false }: { unless?: boolean } = {},
): void {
  const unit = units.getStore()
  if (unit?.open && unit.tx === tx && !(unless && unit.endings.has(key))) unit.endings.set(key, work)
}

/** One transaction, with everything that joined it. */
export class Unit {
  readonly of: Db
  readonly tx: Tx
  readonly client: pg.PoolClient
  /** Who acts at this moment, as the transaction has it. */
  who: Who
  /** What was started in it and outlived it is no part of it any more. */
  open = true
  /** Something that joined failed: half of it may be written, so nothing is kept. */
  failed: { readonly error: unknown } | null = null
  readonly services: Services
  /** What is done before it commits, each once. */
  readonly endings = new Map<string, (unit: Unit) => Promise<void>>()
  private savepoints = 0

  constructor(services: Services, tx: Tx, client: pg.PoolClient, who: Who) {
    this.services = services
    this.of = services.db
    this.tx = tx
    this.client = client
    this.who = who
  }

  /** @throws what failed in something that joined */
  stands(): void {
    if (this.failed) throw this.failed.error
  }

  /**
   * Work of another `write` inside this one, without a savepoint: it would cost two round trips each time, and what
   * failed half-way takes the whole with it anyway.
   */
  async join<T>(who: Who, work: (tx: Tx) => Promise<T>): Promise<T> {
    const before = this.who
    const other = before.reason !== who.reason || before.actor_id !== who.actor_id
    if (other) await this.actAs(who)
    try {
      const result = await work(this.tx)
      if (other) await this.actAs(before)
      return result
    } catch (error) {
      this.failed ??= { error }
      throw error
    }
  }

  /** See `Ctx.attempt`. */
  async attempt<T>(work: () => Promise<T>): Promise<T> {
    const { failed, who } = this
    const savepoint = sql.raw(`attempt_${++this.savepoints}`)
    await sql`savepoint ${savepoint}`.execute(this.tx)
    try {
      const result = await work()
      if (this.failed !== failed) throw this.failed?.error
      await sql`release savepoint ${savepoint}`.execute(this.tx)
      return result
    } catch (error) {
      // Whoever was the victim of a deadlock lets go of everything, and does it all again.
      if (mayRetry(error)) this.failed ??= { error }
      else {
        await sql`rollback to savepoint ${savepoint}`.execute(this.tx)
        this.failed = failed
        this.who = who
      }
      throw error
    }
  }

  private async actAs(who: Who): Promise<void> {
    await sql`select set_config('ems.actor', ${JSON.stringify(who)}, true)`.execute(this.tx)
    this.who = who
  }
}

/**
 * Does work as one transaction, and again where others came between. Each wait for what others hold ends with the
 * patience, which all attempts share.
 */
export async function unitOfWork<T>(
  services: Services,
  who: Who,
  work: (tx: Tx) => Promise<T>,
  patience: number,
  /** Milliseconds that one statement may take at least, where the installation allows less; 0: as that has it. */
  statement = 0,
): Promise<T> {
  const { db, config } = services
  const slow =
    config.statementTimeout && config.statementTimeout < statement ? `; set local statement_timeout = ${statement}` : ''
  const actor = pg.escapeLiteral(JSON.stringify(who))
  const end = performance.now() + patience
  for (let attempt = 1; ; attempt++) {
    const left = Math.max(LEAST_PATIENCE, Math.round(end - performance.now()))
    let unit: Unit | undefined
    try {
      return await transaction(
        db,
        // Half the work of asking `set_config` for it, on both sides.
        `set local ems.actor = ${actor}; set local lock_timeout = ${left}${slow}`,
        async (tx, client) => {
          const own = (unit = new Unit(services, tx, client, who))
          return await units.run(own, async () => {
            const result = await work(tx)
            own.stands()
            // What an ending writes is part of it as well.
            for (const ending of own.endings.values()) await ending(own)
            own.stands()
            return result
          })
        },
      )
    } catch (caught) {
      // After a deadlock within, every statement is refused until all is taken back: that is not what is to be told.
      const within = unit?.failed?.error
      const error = mayRetry(within) ? within : caught
      if (attempt >= ATTEMPTS || !mayRetry(error) || performance.now() >= end) throw error
      // Those who met must not meet again at once.
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * attempt))
    } finally {
      if (unit) unit.open = false
    }
  }
}
