/** Kinds of services: kept as they can be worked on, and offered to who may ask. */
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import { ASKER_STATUS, type Asker } from '#areas/money/ledger/askers.server.ts'
import { workerReach } from '#areas/money/ledger/others.server.ts'
import type { Db, Tx } from '#db/connect.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, toProblem } from '#kit/server/base/errors.ts'
import type { LookupSource } from '#kit/server/base/registry.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { workings } from '#kit/server/resource/resource.ts'
import { sql } from 'kysely'
import { checkServiceOffered, type ServiceAskerFacts, type ServiceKindFacts } from '../requests/service.rules.ts'
import { SERVICE_ASKS, serviceAskerFor } from '../requests/asker.server.ts'
import { serviceKind, serviceKindCalls, type OfferedService, type ServiceField } from './kind.contract.ts'
import { checkServiceKind, optionsOf } from './kind.rules.ts'

/** SQL of the roles `r` whose holders may work on requests. */
const WORKS = `exists (select from role_permissions k where k.role_id = r.id and k.permission = 'decide_service' and k.reach = 'scope')`
/** SQL of the accounts `r` that may by a role. */
const WORKER = `exists (select from role_assignments a join roles o on o.id = a.role_id and o.removed_at is null
  join role_permissions k on k.role_id = o.id and k.permission = 'decide_service' and k.reach = 'scope'
  where a.user_id = r.id and coalesce(a.valid_to >= university_today(), true))`
const KEYS = ['access_serviceKind', 'show_serviceKind'] as const

/** Who can be an office: roles and people that have the right to work on requests. */
export const serviceLookups: readonly LookupSource[] = [
  {
    name: 'serviceOffice',
    table: 'roles',
    label: { name: 'r.name', name_local: 'r.name_local' },
    search: 'r.search_text',
    where: `r.removed_at is null and ${WORKS}`,
    order: 'r.name, r.id',
    permission: [...KEYS],
    scope: 'university',
  },
  {
    name: 'serviceHolder',
    table: 'users',
    label: { name: 'r.name', name_local: 'r.name_local' },
    search: 'r.search_text',
    where: `r.removed_at is null and r.blocked_at is null and ${WORKER}`,
    order: 'r.name, r.id',
    permission: [...KEYS],
    scope: 'university',
  },
]

const kinds = workings(serviceKind, {
  beforeWrite: async (_ctx, tx, merged) => {
    const said = {
      ...merged,
      own_fields: merged.own_fields ?? [],
      offices: merged.offices ?? [],
    } as unknown as Parameters<typeof checkServiceKind>[0] & {
      own_fields: { type: string; options: string | null }[]
    }
    for (const field of said.own_fields) if (!field.options?.trim()) field.options = null
    const ids = (column: 'role_id' | 'user_id') => said.offices.flatMap((one) => one[column] ?? [])
    const { rows } = await sql<{ roles: number[]; users: number[] }>`select
      array(select r.id from roles r where r.id = any(${ids('role_id')}::int[]) and r.removed_at is null and ${sql.raw(WORKS)}) as roles,
      array(select r.id from users r where r.id = any(${ids('user_id')}::int[]) and r.removed_at is null and ${sql.raw(WORKER)}) as users`.execute(
      tx,
    )
    const [able] = rows
    const reasons = checkServiceKind(said, ({ role_id, user_id }) =>
      role_id !== null ? able!.roles.includes(role_id) : able!.users.includes(user_id!),
    )
    if (reasons.length) throw new Refusal(422, reasons)
    return {}
  },
})

export interface AskedKind extends ServiceKindFacts {
  readonly id: number
  readonly prepaid: boolean
  readonly fields: ServiceField[]
}
interface StoredField extends Omit<ServiceField, 'options'> {
  readonly options: string | null
}
/** SQL of a kind `y`, as far as it decides who may ask. */
const KIND = `y.id, y.is_active as active, y.for_students, y.for_graduates, y.for_staff, y.stopped_by_debt, y.one_at_a_time, y.prepaid`
const FIELDS = `coalesce((select json_agg(json_build_object('key', 'f' || f.id, 'name', f.name, 'name_local', f.name_local, 'type', f.type,
    'required', f.required, 'options', f.options, 'hint', f.hint, 'hint_local', f.hint_local) order by f.position)
  from service_kind_fields f where f.kind_id = y.id), '[]')`
const asField = ({ options, ...field }: StoredField): ServiceField => ({ ...field, options: optionsOf(options) })

/** A kind as it stands, held so that it is not changed while somebody asks; undefined: there is none. */
export async function serviceKindOf(tx: Tx, id: number): Promise<AskedKind | undefined> {
  const { rows } = await sql<Omit<AskedKind, 'fields'> & { fields: StoredField[] }>`
    select ${sql.raw(KIND)}, ${sql.raw(FIELDS)} as fields from service_kinds y
    where y.id = ${id} and y.removed_at is null for share of y`.execute(tx)
  const [found] = rows
  return found && { ...found, fields: found.fields.map(asField) }
}

const ASKED_ALREADY = `c.kind_id = y.id and c.removed_at is null and c.status in ('fee_due', 'New', 'in review', 'asked_back')`
/** SQL of who asks, as far as it decides what may be asked for: the student is `s`, the account `w`, the kind `y`. Debts hold students alone. */
const ASKER = `${ASKER_STATUS} as status,
  coalesce(certificates_held(s.id), false) as held,
  exists (select from services c where (c.student_id = s.id or c.staff_id = w.id) and ${ASKED_ALREADY}) as asked_already`

export async function serviceAskerOf(
  tx: Tx,
  { student_id, staff_id }: Asker,
  kind_id: number,
): Promise<ServiceAskerFacts> {
  const { rows } = await sql<ServiceAskerFacts>`select ${sql.raw(ASKER)} from service_kinds y
      left join students s on s.id = ${student_id}::int left join users w on w.id = ${staff_id}::int
    where (s.id is not null or w.id is not null) and y.id = ${kind_id}`.execute(tx)
  return rows[0] ?? { status: '', held: false, asked_already: false }
}

interface Row {
  kind: Omit<AskedKind, 'fields'> &
    Pick<OfferedService, 'code' | 'name' | 'name_local' | 'description' | 'description_local'> & {
      price_local: number
      price_usd: number
    }
  fields: StoredField[]
  who: ServiceAskerFacts | null
  usd: boolean
  offices: OfferedService['offices']
}
/** Every kind that may be asked for, with its price for this person, and why not now; without one, as it is for anybody. */
async function offered(ctx: Ctx, db: Db, { student_id, staff_id }: Asker): Promise<OfferedService[]> {
  const student = sql`(select s.* from students s where s.id = ${student_id}::int and s.removed_at is null
    and ${scopeCondition(ctx, 'add_service', studentReach(ctx, 's'))})`
  const staff = sql`(select w.* from users w where w.id = ${staff_id}::int and w.removed_at is null and w.type in (1, 2)
    and ${scopeCondition(ctx, SERVICE_ASKS, workerReach(ctx, 'w'))})`
  const { rows } = await sql<Row>`
    select (select to_json(x) from (select ${sql.raw(KIND)}, y.code, y.name, y.name_local, y.description, y.description_local,
        y.price_local, y.price_usd) x) as kind, ${sql.raw(FIELDS)} as fields,
      case when s.id is not null or w.id is not null then (select to_json(x) from (select ${sql.raw(ASKER)}) x) end as who,
      coalesce((select n.currency from nationality_groups n where n.id = nationality_group_of(s.nationality_id)), 'EGP') <> 'EGP' as usd,
      coalesce((select json_agg(json_build_object('name', g.name, 'name_local', g.name_local, 'days', g.days) order by g.position)
        from service_kind_steps g where g.kind_id = y.id), '[]') as offices
    from service_kinds y left join lateral ${student} s on true left join lateral ${staff} w on true
    where y.removed_at is null and y.is_active and ((${student_id}::int is null and ${staff_id}::int is null)
      or s.id is not null or w.id is not null) order by y.code`.execute(db)
  return rows.flatMap(({ kind, fields, who, usd, offices }) => {
    const reasons = who ? checkServiceOffered(kind, who) : []
    // What is not for the person at all is not shown.
    if (reasons.some(({ code }) => code === 'service_not_for_you')) return []
    return [
      {
        id: kind.id,
        code: kind.code,
        name: kind.name,
        name_local: kind.name_local,
        description: kind.description,
        description_local: kind.description_local,
        price: usd ? kind.price_usd : kind.price_local,
        currency: usd ? ('USD' as const) : ('EGP' as const),
        prepaid: kind.prepaid,
        days: offices.reduce((sum, one) => sum + one.days, 0),
        offices,
        fields: fields.map(asField),
        refused: reasons.map(toProblem),
      },
    ]
  })
}

export const serviceKindHandlers: readonly Handled[] = [
  ...kinds.handlers,
  handle(serviceKindCalls.index, async (ctx, { query }) => ({
    data: await offered(ctx, ctx.db, serviceAskerFor(ctx, query)),
  })),
]
