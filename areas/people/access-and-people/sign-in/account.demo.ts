import { sql } from 'kysely'
import { hash } from '@node-rs/argon2'
import type { DemoUniversity } from '#demo/model.ts'
import { demoPart, insertNew, pick } from '#demo/part.ts'

type Person = { name: string; name_local: string; email: string; phone: string; type?: number }

/** Accounts of everybody, and the roles they hold. */
export default demoPart(['users', 'role_assignments', 'identities'], ['faculties', 'programs'], async (tx, demo) => {
  // One hash for all: a demo password is public anyway, and a thousand hashes would take minutes.
  const password_hash = await hash(demo.accounts[0]!.password)
  const ranked = (role: string) => new Set(demo.accounts.filter((a) => a.role === role).map((a) => a.email))
  const [roots, supers] = [ranked('root'), ranked('super_admin')]
  const accounts = (people: readonly Person[], type: number) =>
    insertNew(
      tx,
      'users',
      people.map((p) => ({
        type: p.type ?? type,
        ...pick(p, 'email', 'name', 'name_local', 'phone'),
        password_hash,
        is_super_admin: supers.has(p.email) || roots.has(p.email),
        is_root: roots.has(p.email),
      })),
    )
  const staff = await accounts(demo.users, 2)
  // They come in by the provider that `npm run provider` starts, too.
  await insertNew(
    tx,
    'identities',
    demo.users.flatMap(({ email }, i) =>
      supers.has(email)
        ? [{ user_id: staff[i]!, issuer: 'http://127.0.0.1:3900', subject: email, email, linked_by: 'email' }]
        : [],
    ),
  )
  const students = await accounts(demo.students, 3)
  const applicants = await accounts(demo.applicants, 4)

  const { rows: seeded } = await sql<{ id: number; key: string }>`
    select id, key from roles where key is not null`.execute(tx)
  const roleId = new Map(seeded.map((r) => [r.key, r.id]))
  type Held = DemoUniversity['users'][number]['roles'][number]
  const assigned = (user_id: number, { role, faculty_id, program_id }: Held) => {
    const role_id = roleId.get(role)
    if (!role_id) throw new Error(`the demo university names a role that is not seeded: ${role}`)
    return {
      user_id,
      role_id,
      scope_type: program_id ? 'program' : faculty_id ? 'faculty' : null,
      scope_id: program_id ?? faculty_id,
    }
  }
  const everywhere = (role: string): Held => ({ role, faculty_id: null, program_id: null })
  await insertNew(tx, 'role_assignments', [
    ...demo.users.flatMap((u, i) => u.roles.map((held) => assigned(staff[i]!, held))),
    ...students.map((id) => assigned(id, everywhere('student'))),
    ...applicants.map((id) => assigned(id, everywhere('applicant'))),
  ])
})
