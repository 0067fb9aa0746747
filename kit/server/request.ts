import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { beginWith } from '#db/connect.ts'
import type { Db, Tx } from '#db/connect.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import type { Language } from '#kit/contract/index.ts'
import type { Actor, Ctx, Services } from './context.ts'
import { mayRetry } from './errors.ts'

/** How often work that met a deadlock or a serialisation failure is done again before the caller hears of it. */
const ATTEMPTS = 4

/** What handlers work with; see `Ctx`. Methods stand on the prototype, so that a request costs one small object. */
class Context implements Ctx {
  readonly services: Services
  readonly actor: Actor | null
  readonly lang: Language
  readonly ip: string | null
  readonly request_id: string
  readonly system: string | null
  readonly http: Ctx['http']
  constructor(
    services: Services,
    actor: Actor | null,
    lang: Language,
    ip: string | null,
    request_id: string,
    system: string | null,
    http: Ctx['http'],
  ) {
    this.services = services
    this.actor = actor
    this.lang = lang
    this.ip = ip
    this.request_id = request_id
    this.system = system
    this.http = http
  }

  get db(): Db {
    return this.services.db
  }

  get pool(): pg.Pool {
    return this.services.pool
  }

  can(...keys: PermissionKey[]): boolean {
    if (this.system !== null) return true
    const { actor } = this
    if (!actor) return false
    if (actor.is_root || actor.is_super_admin) return true
    for (const key of keys) if (actor.rights.has(key)) return true
    return false
  }

  async write<T>(work: (tx: Tx) => Promise<T>, options?: { reason?: string }): Promise<T> {
    const who = JSON.stringify({
      actor_id: this.actor?.user_id ?? null,
      impersonator_id: this.actor?.impersonator_id ?? null,
      ip: this.ip,
      reason: options?.reason ?? this.system,
      request_id: this.request_id,
    })
    for (let attempt = 1; ; attempt++) {
      try {
        return await beginWith(`select set_config('ems.actor', ${pg.escapeLiteral(who)}, true)`, () =>
          this.services.db.transaction().execute(work),
        )
      } catch (error) {
        if (attempt >= ATTEMPTS || !mayRetry(error)) throw error
        // Those who met must not meet again at once.
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * attempt))
      }
    }
  }
}

/** The context of one request. */
export const requestContext = (
  services: Services,
  actor: Actor | null,
  lang: Language,
  ip: string | null,
  request_id: string,
  http: Ctx['http'],
): Ctx => new Context(services, actor, lang, ip, request_id, null, http)

/**
 * Acting without a person: jobs, commands, the first start. The reason stands in the audit trail beside every change;
 * permissions and scopes do not bind it.
 */
export const asSystem = (services: Services, reason: string, lang: Language = 'ar'): Ctx =>
  new Context(services, null, lang, null, randomUUID(), reason, null)

/** Acting later for a person who asked for it (a job): bound by the person's rights at the time it runs. */
export const asActor = (
  services: Services,
  actor: Actor,
  request_id: string = randomUUID(),
  lang: Language = 'ar',
): Ctx => new Context(services, actor, lang, null, request_id, null, null)
