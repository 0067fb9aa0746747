import { randomUUID } from 'node:crypto'
import type { Db, Queryable, Tx } from '#db/connect.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import type { Language } from '#kit/contract/index.ts'
import type { Actor, Ctx, Services, Who, WriteOptions } from '../base/context.ts'
import { PATIENCE, PATIENCE_OF_JOBS, STATEMENT_OF_JOBS, unitOf, unitOfWork } from './unit.ts'
import type { Unit } from './unit.ts'

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

  can(...keys: PermissionKey[]): boolean {
    if (this.system !== null) return true
    const { actor } = this
    if (!actor) return false
    if (actor.is_root || actor.is_super_admin) return true
    for (const key of keys) if (actor.rights.has(key)) return true
    return false
  }

  get db(): Db {
    return this.unit?.tx ?? this.services.db
  }

  get pool(): Queryable {
    return this.unit?.client ?? this.services.pool
  }

  get inUnit(): boolean {
    return this.unit !== undefined
  }

  /** The unit of work that this flow of calls is part of. */
  private get unit(): Unit | undefined {
    return unitOf(this.services.db)
  }

  who(reason?: string | null): Who {
    const around = this.unit?.who
    const actor_id = this.actor?.user_id ?? null
    return {
      actor_id,
      impersonator_id: this.actor?.impersonator_id ?? null,
      ip: this.ip ?? around?.ip ?? null,
      reason: reason ?? (around?.actor_id === actor_id ? around.reason : null) ?? this.system ?? around?.reason ?? null,
      request_id: around?.request_id ?? this.request_id,
    }
  }

  write<T>(work: (tx: Tx) => Promise<T>, options?: WriteOptions): Promise<T> {
    const who = this.who(options?.reason)
    const { unit } = this
    if (unit) return unit.join(who, work)
    // Nobody sits and waits for a job.
    const { http } = this
    const patience = options?.patience ?? (http ? PATIENCE : PATIENCE_OF_JOBS)
    return unitOfWork(this.services, who, work, patience, http ? 0 : STATEMENT_OF_JOBS)
  }

  attempt<T>(work: () => Promise<T>): Promise<T> {
    return this.unit?.attempt(work) ?? work()
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

/** Acts for an external program instead of a user's request: `why` is recorded with every change. */
export const asProgram = ({ services, ip, request_id, http }: Ctx, why: string): Ctx =>
  new Context(services, null, 'en', ip, request_id, why, http)

/**
 * Acts without a person: jobs, commands, the first start. The audit trail records the reason with every change;
 * permissions and scopes do not apply.
 */
export const asSystem = (services: Services, reason: string, lang: Language = 'ar'): Ctx =>
  new Context(services, null, lang, null, randomUUID(), reason, null)

/** Acts later for a person who requested it (a job), limited by the rights that the person has when it runs. */
export const asActor = (
  services: Services,
  actor: Actor,
  request_id: string = randomUUID(),
  lang: Language = 'ar',
): Ctx => new Context(services, actor, lang, null, request_id, null, null)
