import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { parse } from 'csv-parse/sync'
import { unzipSync } from 'fflate'
import { sql } from 'kysely'
import { insertRows } from '#db/bulk.ts'
import type { Tx } from '#db/connect.ts'
import { fill } from '#kit/contract/index.ts'
import { makeRoom } from '#areas/registration/requests/queue.server.ts'
import { defineAreaServer } from '#kit/server/area.ts'
import { handle } from '#kit/server/context.ts'
import type { Ctx } from '#kit/server/context.ts'
import { refuse } from '#kit/server/errors.ts'
import { defineJob } from '#kit/server/jobs.ts'
import { flag, toWire } from '../registration/status.rules.ts'
import { checkOneRoster, importOneRoster, oneRosterArea } from './oneroster.contract.ts'
import { BUNDLE_ERRORS, FILE_NAMES, OPTIONAL_FILES, checkBundle, codeFromName } from './oneroster.rules.ts'
import type { Bundle, BundleError, CsvFile } from './oneroster.rules.ts'

/** Unpacked size of a bundle at most, in bytes: a university of a million enrolments is under it. */
const MAX_UNPACKED = 512 * 1024 * 1024
const KNOWN = ['manifest', ...FILE_NAMES, ...OPTIONAL_FILES]

/** Files of a bundle by name without `.csv`. */
export type BundleFiles = Readonly<Record<string, Uint8Array | undefined>>

/** Credit hours of a course and capacities of a class: OneRoster has neither. */
export interface ImportOptions {
  readonly credit_hours?: number
  /** Places of a class for each student enrolled in it. */
  readonly seats_per_student?: number
}
export interface ImportResult {
  readonly source: string
  /** Per kind of record. `gone`: known from an earlier import, no longer in the bundle; such records are left alone. */
  readonly counts: Readonly<Record<string, { created: number; changed: number; same: number; gone: number }>>
}

/** The files of a ZIP, at its root or in one folder. @throws {Refusal} */
export function unpack(zip: Uint8Array): BundleFiles {
  let size = 0
  try {
    const files = unzipSync(zip, {
      filter: (file) => {
        const name = file.name.split('/').at(-1) ?? ''
        if (!KNOWN.includes(name.replace(/\.csv$/i, ''))) return false
        size += file.originalSize
        if (size > MAX_UNPACKED) throw refuse(422, 'bundle_too_large', { max: MAX_UNPACKED / 1024 / 1024 }, 'file')
        return true
      },
    })
    return Object.fromEntries(
      Object.entries(files).map(([name, bytes]) => [
        name
          .split('/')
          .at(-1)!
          .replace(/\.csv$/i, ''),
        bytes,
      ]),
    )
  } catch (error) {
    if (error instanceof Error && 'status' in error) throw error
    throw refuse(422, 'bundle_not_readable', {}, 'file')
  }
}

/** A CSV file as rows of text with their lines, or why it is none. */
function readCsvFile(file: string, bytes: Uint8Array): CsvFile | BundleError {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    const records = parse(text, {
      bom: true,
      columns: true,
      info: true,
      trim: true,
      skip_empty_lines: true,
      max_record_size: 100_000,
    }) as unknown as {
      info: { lines: number }
      record: Record<string, string>
    }[]
    const header = parse(text, { bom: true, to_line: 1, trim: true })
    // A record's `lines` is the line it ends on; cells with line breaks are rare enough to point at their end.
    return { columns: header[0] ?? [], rows: records.map(({ info, record }) => ({ line: info.lines, cells: record })) }
  } catch (error) {
    const line = (error as { lines?: number }).lines ?? null
    const reason = error instanceof TypeError ? 'not UTF-8' : (error as Error).message.slice(0, 200)
    return { file: `${file}.csv`, line, column: null, code: 'roster_csv_broken', data: { reason } }
  }
}

/** Reads and checks a bundle. */
export function readBundle(files: BundleFiles): {
  source: string
  bundle: Bundle | null
  errors: readonly BundleError[]
} {
  const read: Record<string, CsvFile> = {}
  const broken: BundleError[] = []
  for (const name of KNOWN) {
    const bytes = files[name]
    if (!bytes) continue
    const file = readCsvFile(name, bytes)
    if ('rows' in file) read[name] = file
    else broken.push(file)
  }
  const source =
    read.manifest?.rows.find((r) => r.cells.propertyName === 'source.systemCode')?.cells.value || 'oneroster'
  return broken.length ? { source, bundle: null, errors: broken } : { source, ...checkBundle(read) }
}

const digestOf = (record: object): string =>
  createHash('sha256').update(JSON.stringify(record)).digest('base64url').slice(0, 22)

interface Known {
  readonly id: number
  readonly digest: string
}

/** One kind of record: what is new is inserted, what changed is updated, what is the same is not touched. */
async function put<T extends { external_id: string }>(
  tx: Tx,
  source: string,
  kind: string,
  records: readonly T[],
  insert: (fresh: readonly T[]) => Promise<readonly number[]>,
  update: (changed: readonly (T & { id: number })[]) => Promise<unknown>,
  /** Everything of this kind in the bundle, where it is stored in several tables. */
  whole: readonly { external_id: string }[] = records,
): Promise<{ ids: Map<string, number>; count: ImportResult['counts'][string] }> {
  const rows = await sql<{ external_id: string; record_id: number; digest: string }>`
    select external_id, record_id, digest from external_ids where source = ${source} and kind = ${kind}`.execute(tx)
  const known = new Map<string, Known>(rows.rows.map((r) => [r.external_id, { id: r.record_id, digest: r.digest }]))
  const digests = new Map(records.map((r) => [r.external_id, digestOf(r)]))
  const fresh = records.filter((r) => !known.has(r.external_id))
  const changed = records.filter(
    (r) => known.has(r.external_id) && known.get(r.external_id)!.digest !== digests.get(r.external_id),
  )
  const ids = new Map(
    records.flatMap((r) => (known.has(r.external_id) ? [[r.external_id, known.get(r.external_id)!.id] as const] : [])),
  )
  const created = await insert(fresh)
  for (const [i, r] of fresh.entries()) ids.set(r.external_id, created[i]!)
  if (changed.length) await update(changed.map((r) => ({ ...r, id: ids.get(r.external_id)! })))
  await insertRows(
    tx,
    'external_ids',
    [...fresh, ...changed].map((r) => ({
      source,
      kind,
      external_id: r.external_id,
      record_id: ids.get(r.external_id),
      digest: digests.get(r.external_id),
    })),
    { conflict: 'on conflict (source, kind, external_id) do update set digest = excluded.digest' },
  )
  return {
    ids,
    count: {
      created: fresh.length,
      changed: changed.length,
      same: records.length - fresh.length - changed.length,
      gone: known.size - whole.filter((r) => known.has(r.external_id)).length,
    },
  }
}

/** Changes the named columns of many rows in one statement. */
const updateRows = (
  tx: Tx,
  table: string,
  columns: readonly string[],
  rows: readonly Readonly<Record<string, unknown>>[],
) =>
  sql`update ${sql.table(table)} t set ${sql.join(columns.map((c) => sql`${sql.ref(c)} = n.${sql.ref(c)}`))}
    from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::jsonb) n where t.id = n.id`.execute(
    tx,
  )

const named = (r: { code: string; name: string }) => ({ code: r.code, name: r.name, name_local: r.name })
const REGISTERED = toWire(flag.Registered | flag.Fresh)
/** Usual letters, for faculties that come without a bylaw. From, to, letter, English, Arabic, points. */
const LETTERS = [
  [97, 100, 'A+', 'Excellent', 'ممتاز', '4.00'],
  [93, 97, 'A', 'Excellent', 'ممتاز', '4.00'],
  [89, 93, 'A-', 'Excellent', 'ممتاز', '3.70'],
  [84, 89, 'B+', 'Very good', 'جيد جدًا', '3.30'],
  [80, 84, 'B', 'Very good', 'جيد جدًا', '3.00'],
  [76, 80, 'B-', 'Good', 'جيد', '2.70'],
  [73, 76, 'C+', 'Good', 'جيد', '2.30'],
  [70, 73, 'C', 'Good', 'جيد', '2.00'],
  [67, 70, 'C-', 'Pass', 'مقبول', '1.70'],
  [64, 67, 'D+', 'Pass', 'مقبول', '1.30'],
  [60, 64, 'D', 'Pass', 'مقبول', '1.00'],
  [0, 60, 'F', 'Fail', 'راسب', '0.00'],
] as const

/**
 * Stores a checked bundle in one transaction: all of it or nothing. Running it again with the same files changes
 * nothing. A school becomes a faculty with a general program under a bylaw of usual settings; classes become offerings
 * with one group of as many places as are needed; enrolments take their seats like any registration.
 */
export async function importBundle(
  ctx: Ctx,
  source: string,
  bundle: Bundle,
  options: ImportOptions = {},
  progress: (percent: number, message?: string) => Promise<void> = async () => {},
): Promise<ImportResult> {
  return await ctx.write(
    async (tx) => {
      // Two imports at once would each miss what the other has not committed yet.
      await sql`select pg_advisory_xact_lock(hashtext('oneroster'))`.execute(tx)
      const counts: Record<string, ImportResult['counts'][string]> = {}
      await progress(2)

      // Organisations ----------------------------------------------------------------------------------------------
      const parents = new Map(bundle.orgs.map((o) => [o.external_id, o]))
      const used = new Set<string>([...bundle.courses, ...bundle.classes, ...bundle.users].map((r) => r.org ?? ''))
      const schools = bundle.orgs.filter(
        (o) => o.type === 'school' || (o.type !== 'department' && used.has(o.external_id)),
      )
      const faculties = await put(
        tx,
        source,
        'org',
        schools,
        (fresh) => insertRows(tx, 'faculties', fresh.map(named), { returning: 'id' }),
        (changed) =>
          updateRows(
            tx,
            'faculties',
            ['name', 'name_local'],
            changed.map((r) => ({ id: r.id, ...named(r) })),
          ),
        bundle.orgs,
      )
      counts.faculties = faculties.count
      const facultyOf = (org: string | null): number => {
        for (let at = parents.get(org ?? ''); at; at = parents.get(at.parent ?? '')) {
          const id = faculties.ids.get(at.external_id)
          if (id) return id
        }
        return [...faculties.ids.values()][0]!
      }
      const departments = await put(
        tx,
        source,
        'org',
        bundle.orgs.filter((o) => o.type === 'department'),
        (fresh) =>
          insertRows(
            tx,
            'departments',
            fresh.map((r) => ({ ...named(r), faculty_id: facultyOf(r.external_id) })),
            { returning: 'id' },
          ),
        (changed) =>
          updateRows(
            tx,
            'departments',
            ['name', 'name_local'],
            changed.map((r) => ({ id: r.id, ...named(r) })),
          ),
        bundle.orgs,
      )
      counts.departments = departments.count
      const programs = await generalPrograms(tx, [...faculties.ids.values()])

      // Time -------------------------------------------------------------------------------------------------------
      const dated = (r: { code: string; name: string; start_date: string; end_date: string }) => ({
        ...named(r),
        start_date: r.start_date,
        end_date: r.end_date,
      })
      const years = await put(
        tx,
        source,
        'session',
        bundle.years,
        (fresh) => insertRows(tx, 'years', fresh.map(dated), { returning: 'id' }),
        (changed) =>
          updateRows(
            tx,
            'years',
            ['name', 'name_local', 'start_date', 'end_date'],
            changed.map((r) => ({ id: r.id, ...dated(r) })),
          ),
        [...bundle.years, ...bundle.terms],
      )
      const terms = await put(
        tx,
        source,
        'session',
        bundle.terms,
        (fresh) =>
          insertRows(
            tx,
            'terms',
            fresh.map((r) => ({ ...dated(r), year_id: years.ids.get(r.year), term_type: r.term_type })),
            { returning: 'id' },
          ),
        (changed) =>
          updateRows(
            tx,
            'terms',
            ['name', 'name_local', 'start_date', 'end_date', 'term_type'],
            changed.map((r) => ({ id: r.id, ...dated(r), term_type: r.term_type })),
          ),
        [...bundle.years, ...bundle.terms],
      )
      counts.years = years.count
      counts.terms = terms.count
      const latest = bundle.terms.toSorted((a, b) => a.start_date.localeCompare(b.start_date)).at(-1)
      if (latest) {
        await sql`insert into current_terms (key, term_id)
          select key, ${terms.ids.get(latest.external_id)!} from unnest(array['current_term', 'current_admission_term',
            'current_admission_term_UG', 'current_admission_term_PG', 'current_transfer_term', 'current_control_term',
            'current_exam_term']) as key on conflict do nothing`.execute(tx)
      }
      await progress(10)

      // Courses and classes ----------------------------------------------------------------------------------------
      const credit_hours = options.credit_hours ?? 3
      const placed = (org: string) => ({ faculty_id: facultyOf(org), department_id: departments.ids.get(org) ?? null })
      const courses = await put(
        tx,
        source,
        'course',
        bundle.courses,
        (fresh) =>
          insertRows(
            tx,
            'courses',
            fresh.map((r) => ({ ...named(r), ...placed(r.org), credit_hours, lecture_hours: credit_hours })),
            { returning: 'id' },
          ),
        (changed) =>
          updateRows(
            tx,
            'courses',
            ['name', 'name_local'],
            changed.map((r) => ({ id: r.id, ...named(r) })),
          ),
      )
      counts.courses = courses.count
      const enrolled = new Map<string, number>()
      for (const e of bundle.enrollments)
        if (e.role === 'student') enrolled.set(e.class, (enrolled.get(e.class) ?? 0) + 1)
      const places = (external_id: string) =>
        Math.max(10, Math.ceil(((enrolled.get(external_id) ?? 0) * (options.seats_per_student ?? 1.05)) / 10) * 10)
      const scheme = await usualScheme(tx)
      const classes = await put(
        tx,
        source,
        'class',
        bundle.classes,
        async (fresh) => {
          const ids = await insertRows(
            tx,
            'offerings',
            fresh.map((r) => ({
              term_id: terms.ids.get(r.term),
              course_id: courses.ids.get(r.course),
              code: r.code,
              ...placed(r.org),
              mark_id: scheme.id,
            })),
            { returning: 'id' },
          )
          const groups = await insertRows(
            tx,
            'offering_groups',
            ids.map((offering_id) => ({ offering_id, number: 1 })),
            { returning: 'id' },
          )
          await insertRows(
            tx,
            'offering_slots',
            fresh.map((r, i) => ({
              offering_id: ids[i],
              term_id: terms.ids.get(r.term),
              group_id: groups[i],
              type: 'Lecture',
              quota: places(r.external_id),
              over_quota: Math.ceil(places(r.external_id) / 10),
            })),
          )
          await insertRows(
            tx,
            'offering_programs',
            fresh.map((r, i) => ({ offering_id: ids[i], program_id: programs.get(facultyOf(r.org))!.id })),
          )
          await insertRows(
            tx,
            'offering_marks',
            ids.flatMap((offering_id) => scheme.items.map((item) => ({ offering_id, ...item }))),
          )
          return ids
        },
        (changed) =>
          updateRows(
            tx,
            'offerings',
            ['code'],
            changed.map((r) => ({ id: r.id, code: r.code })),
          ),
      )
      counts.offerings = classes.count
      await progress(30)

      // People -----------------------------------------------------------------------------------------------------
      const users = await put(
        tx,
        source,
        'user',
        bundle.users,
        async (fresh) => {
          const accounts = await insertRows(
            tx,
            'users',
            fresh.map((r) => ({
              type: r.kind === 'teacher' ? 1 : 3,
              email: r.email,
              name: r.name,
              name_local: r.name,
            })),
            { returning: 'id' },
          )
          const roles = await sql<{
            key: string
            id: number
          }>`select key, id from roles where key in ('student', 'instructor')`.execute(tx)
          const role = new Map(roles.rows.map((r) => [r.key, r.id]))
          await insertRows(
            tx,
            'role_assignments',
            fresh.map((r, i) => ({
              user_id: accounts[i],
              role_id: role.get(r.kind === 'teacher' ? 'instructor' : 'student'),
            })),
          )
          const made = new Map<string, number>()
          for (const kind of ['student', 'teacher'] as const) {
            const group = fresh.map((r, i) => ({ r, user_id: accounts[i] })).filter(({ r }) => r.kind === kind)
            const ids = await insertRows(
              tx,
              kind === 'student' ? 'students' : 'instructors',
              group.map(({ r, user_id }) => {
                const faculty_id = facultyOf(r.org)
                const person = { user_id, ...named(r), email: r.email, faculty_id }
                const program = programs.get(faculty_id)!
                return kind === 'student'
                  ? { ...person, program_id: program.id, bylaw_id: program.bylaw_id }
                  : { ...person, department_id: departments.ids.get(r.org ?? '') ?? null }
              }),
              { returning: 'id' },
            )
            for (const [i, { r }] of group.entries()) made.set(r.external_id, ids[i]!)
          }
          return fresh.map((r) => made.get(r.external_id)!)
        },
        async (changed) => {
          for (const [kind, table] of [
            ['student', 'students'],
            ['teacher', 'instructors'],
          ] as const) {
            await updateRows(
              tx,
              table,
              ['name', 'name_local', 'email'],
              changed.filter((r) => r.kind === kind).map((r) => ({ id: r.id, ...named(r), email: r.email })),
            )
          }
        },
      )
      counts.users = users.count
      await progress(55)

      // Enrolments -------------------------------------------------------------------------------------------------
      const termOf = new Map(bundle.classes.map((c) => [c.external_id, c]))
      const seat = await sql<{ offering_id: number; id: number }>`
        select offering_id, min(id) as id from offering_slots where offering_id = any(${[...classes.ids.values()]}::integer[]) group by 1`.execute(
        tx,
      )
      const slotOf = new Map(seat.rows.map((r) => [r.offering_id, r.id]))
      const enrollments = await put(
        tx,
        source,
        'enrollment',
        bundle.enrollments.filter((e) => e.role === 'student'),
        async (fresh) => {
          const rows = fresh.map((e) => ({
            student_id: users.ids.get(e.user)!,
            offering_id: classes.ids.get(e.class)!,
            term_id: terms.ids.get(termOf.get(e.class)!.term)!,
            course_id: courses.ids.get(termOf.get(e.class)!.course)!,
            status: REGISTERED,
            credit_hours,
          }))
          // Whoever the other system enrolled has a place here.
          const wanted = new Map<number, number>()
          for (const r of rows) {
            const slot = slotOf.get(r.offering_id)!
            wanted.set(slot, (wanted.get(slot) ?? 0) + 1)
          }
          await makeRoom(tx, wanted)
          const ids = await insertRows(tx, 'registrations', rows, { returning: 'id' })
          await progress(75)
          await insertRows(
            tx,
            'registration_slots',
            rows.map((r, i) => ({ registration_id: ids[i], offering_slot_id: slotOf.get(r.offering_id) })),
          )
          await insertRows(
            tx,
            'registration_history',
            rows.map((r, i) => ({
              registration_id: ids[i],
              student_id: r.student_id,
              offering_id: r.offering_id,
              actor_id: ctx.actor?.user_id ?? null,
              action: 'import',
              to_status: REGISTERED,
              reason: `OneRoster ${source}`,
            })),
          )
          return ids
        },
        async () => {},
      )
      counts.enrollments = enrollments.count
      await insertRows(
        tx,
        'offering_instructors',
        bundle.enrollments
          .filter((e) => e.role !== 'student')
          .map((e) => ({
            offering_id: classes.ids.get(e.class),
            instructor_id: users.ids.get(e.user),
            role: e.role === 'aide' ? 'assistant' : 'instructor',
          })),
        { conflict: 'on conflict do nothing' },
      )
      await progress(98)
      return { source, counts }
    },
    { reason: `OneRoster ${source}` },
  )
}

/** The general program of each faculty; a faculty without one gets it, under a bylaw of usual settings. */
async function generalPrograms(
  tx: Tx,
  faculties: readonly number[],
): Promise<Map<number, { id: number; bylaw_id: number }>> {
  const out = new Map<number, { id: number; bylaw_id: number }>()
  for (const faculty_id of faculties) {
    const found = await sql<{ id: number; bylaw_id: number }>`
      select id, bylaw_id from programs where faculty_id = ${faculty_id} and is_general and removed_at is null order by id limit 1`.execute(
      tx,
    )
    if (found.rows[0]) {
      out.set(faculty_id, found.rows[0])
      continue
    }
    const { code, name } = (
      await sql<{ code: string; name: string }>`select code, name from faculties where id = ${faculty_id}`.execute(tx)
    ).rows[0]!
    const short = `${code || codeFromName(name)}-GEN`
    const [bylaw_id] = await insertRows(
      tx,
      'bylaws',
      [
        {
          faculty_id,
          code: short,
          name: 'General bylaw',
          name_local: 'اللائحة العامة',
          program_type: 'credit_hours',
          graduation_hours: 120,
        },
      ],
      { returning: 'id' },
    )
    await insertRows(
      tx,
      'bylaw_levels',
      [0, 30, 60, 90].map((passed_hours, i) => ({
        bylaw_id,
        level: i + 1,
        name: `Level ${i + 1}`,
        name_local: `المستوى ${i + 1}`,
        passed_hours,
      })),
    )
    const [grade_type_id] = await insertRows(
      tx,
      'grade_types',
      [{ bylaw_id, kind: 'letter', name: 'Letter grade', name_local: 'تقدير' }],
      { returning: 'id' },
    )
    await insertRows(
      tx,
      'grade_ranges',
      LETTERS.map(([from_percent, to_percent, letter, en, ar, points]) => ({
        grade_type_id,
        from_percent,
        to_percent,
        letter,
        name: en,
        name_local: ar,
        points,
        success: points !== '0.00',
      })),
    )
    await insertRows(
      tx,
      'special_grades',
      (
        [
          ['Absent', 'ABS', 'Absent', 'غائب', true],
          ['Banned', 'BAN', 'Banned', 'محروم', true],
          ['Punished', 'PUN', 'Punished', 'معاقب', true],
          ['Withdrawn', 'W', 'Withdrawn', 'منسحب', false],
          ['ForcedWithdrawn', 'FW', 'Forced withdrawal', 'انسحاب إجباري', false],
          ['Excused', 'EX', 'Excused', 'معتذر', false],
          ['Incomplete', 'IC', 'Incomplete', 'غير مكتمل', false],
        ] as const
      ).map(([status, letter, en, ar, counts]) => ({
        bylaw_id,
        status,
        letter,
        name: en,
        name_local: ar,
        points: 0,
        counts_in_gpa: counts,
        counts_in_attempted_hours: counts,
      })),
    )
    await insertRows(
      tx,
      'gpa_ranges',
      (
        [
          ['3.50', '4.00', 'Excellent', 'ممتاز'],
          ['3.00', '3.50', 'Very good', 'جيد جدًا'],
          ['2.50', '3.00', 'Good', 'جيد'],
          ['2.00', '2.50', 'Pass', 'مقبول'],
          ['0.00', '2.00', 'Weak', 'ضعيف'],
        ] as const
      ).map(([from_gpa, to_gpa, en, ar]) => ({ bylaw_id, from_gpa, to_gpa, name: en, name_local: ar })),
    )
    await insertRows(tx, 'load_ranges', [
      { bylaw_id, from_gpa: 0, to_gpa: 4, max_ch_value: 24, max_summer_ch_value: 24, max_courses: 8 },
    ])
    const [id] = await insertRows(
      tx,
      'programs',
      [
        {
          bylaw_id,
          faculty_id,
          code: short,
          name: 'General program',
          name_local: 'البرنامج العام',
          program_type: 'credit_hours',
          is_general: true,
          min_credit_hours: 120,
        },
      ],
      { returning: 'id' },
    )
    out.set(faculty_id, { id: id!, bylaw_id: bylaw_id! })
  }
  return out
}

/** The mark scheme of imported offerings: 40 for the year's work, 60 for the final examination. */
async function usualScheme(
  tx: Tx,
): Promise<{ id: number; items: { mark_category_id: number; max: number; position: number }[] }> {
  const items: { mark_category_id: number; max: number; position: number }[] = []
  const wanted = [
    ['YEARWORK', 'Year work', 'أعمال السنة', false, 40],
    ['FINAL', 'Final exam', 'الامتحان النهائي', true, 60],
  ] as const
  for (const [position, [code, en, ar, is_final_exam, max]] of wanted.entries()) {
    const made = await sql<{ id: number }>`
      insert into mark_categories (code, name, name_local, is_final_exam) values (${code}, ${en}, ${ar}, ${is_final_exam})
      on conflict (code) do nothing returning id`.execute(tx)
    const id =
      made.rows[0]?.id ??
      (await sql<{ id: number }>`select id from mark_categories where code = ${code}`.execute(tx)).rows[0]!.id
    items.push({ mark_category_id: id, max, position })
  }
  const made = await sql<{ id: number }>`
    insert into marks (code, name, name_local) values ('USUAL40-60', 'Year work 40, final 60', 'أعمال السنة 40 والنهائي 60')
    on conflict (code) do nothing returning id`.execute(tx)
  if (made.rows[0]) {
    await insertRows(
      tx,
      'mark_items',
      items.map((item) => ({ mark_id: made.rows[0]!.id, ...item })),
    )
    return { id: made.rows[0].id, items }
  }
  const { id } = (await sql<{ id: number }>`select id from marks where code = 'USUAL40-60'`.execute(tx)).rows[0]!
  return { id, items }
}

const said = (errors: readonly BundleError[]) =>
  errors.map(({ file, line, column, code, data }) => {
    const [en, ar] = BUNDLE_ERRORS[code]
    return { file, line, column, code, en: fill(en, data), ar: fill(ar, data), ...(data && { data }) }
  })

const importJob = defineJob<{ hash: string }, ImportResult>({
  name: 'oneroster-import',
  run: async (ctx, { hash }, progress) => {
    const { storage } = ctx.services
    const { source, bundle, errors } = readBundle(unpack(await buffer(await storage.get(hash))))
    if (!bundle) throw refuse(422, 'bundle_has_errors', { count: errors.length }, 'file')
    return await importBundle(ctx, source, bundle, {}, progress)
  },
})

export const oneRosterServer = defineAreaServer({
  area: oneRosterArea,
  handlers: [
    handle(checkOneRoster, async (_ctx, { file }) => {
      const { source, bundle, errors } = readBundle(unpack(file!.content))
      const counts = Object.fromEntries(Object.entries(bundle ?? {}).map(([name, rows]) => [name, rows.length]))
      return { data: { source, counts, errors: said(errors) } }
    }),
    handle(importOneRoster, async (ctx, { file }) => {
      const { bundle, errors } = readBundle(unpack(file!.content))
      if (!bundle) throw refuse(422, 'bundle_has_errors', { count: errors.length }, 'file')
      const { hash } = await ctx.services.storage.put(file!.content)
      const job_id = await ctx.write((tx) =>
        ctx.services.jobs.send(tx, importJob, { hash }, { actor: ctx.actor, lang: ctx.lang }),
      )
      return { job_id }
    }),
  ],
  jobs: [importJob],
})
