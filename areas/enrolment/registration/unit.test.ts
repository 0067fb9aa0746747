import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { registrationWorld, type RegistrationWorld } from '#tests/registration-world.ts'
import { ok, testUniversity, type TestUniversity } from '#tests/university.ts'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { changeRegistrations } from './changes/change.server.ts'
import { registrationServer } from './registration.server.ts'
import { requestOfferings } from './requests/request.server.ts'
import { mainOf } from '#areas/common/academics/status.rules.ts'

let u: TestUniversity
let w: RegistrationWorld
beforeAll(async () => {
  u = await testUniversity([catalogueServer, registrationServer])
  w = await registrationWorld(u)
})
afterAll(() => u.close())
beforeEach(() => w.windows('register', 'add_drop'))

const ask = (offering: { id: number; lectures: number[] }) => [
  { offering_id: offering.id, offering_slot_ids: offering.lectures, improve: false },
]
const states = async (student: number) =>
  (
    await w.query<{ status: string; offering_id: number }>(
      'select status::text, offering_id from registrations where student_id = $1 order by id',
      [student],
    )
  ).map((row) => [row.offering_id, mainOf(BigInt(row.status))])
const taken = async (slot: number) =>
  (await w.query<{ taken: number }>('select taken from offering_slots where id = $1', [slot]))[0]!.taken

/** What an excuse or a payment does: registrations change inside its own unit of work. */
async function inOneStep(student: number, from: number, to: Parameters<typeof ask>[0], end?: () => void) {
  const ctx = asSystem(u.services, 'a decision')
  return ctx.write(
    async () => {
      await changeRegistrations(ctx, [from], { action: 'remove' })
      const [made] = await requestOfferings(ctx, { student_id: student, action: 'enroll', offerings: ask(to) })
      end?.()
      return made!
    },
    { reason: 'decision 7' },
  )
}

test('registrations are removed and requested inside the unit of work of something else, all or nothing', async () => {
  const [first, second] = [await w.offer('PH101'), await w.offer('EN101')]
  const { id, as } = await w.student()
  const [before] = ok(
    await as('PUT', '/registrations/students/request-offering', {
      offerings: [{ offering_id: first.id, offering_slot_ids: first.lectures }],
    }),
  )
  await expect(
    inOneStep(id, before.id, second, () => {
      throw refuse(409, 'state_not_allowed')
    }),
  ).rejects.toThrow('state_not_allowed')
  expect(await states(id)).toEqual([[first.id, 'RegisterRequest']])
  expect([await taken(first.lectures[0]!), await taken(second.lectures[0]!)]).toEqual([1, 0])

  const begun = performance.now()
  await inOneStep(id, before.id, second)
  expect(performance.now() - begun).toBeLessThan(8000)
  expect(await states(id)).toEqual([[second.id, 'Registered']])
  expect([await taken(first.lectures[0]!), await taken(second.lectures[0]!)]).toEqual([0, 1])
  const trail = await w.query(
    `select distinct reason from audit_log where table_name = 'registrations' and at > now() - interval '1 minute' and reason is not null`,
  )
  expect(trail).toEqual([{ reason: 'decision 7' }])
  expect(await w.wrongSeats()).toEqual([])
})
