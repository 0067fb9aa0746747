/**
 * A term of a university that came as a OneRoster bundle, from the import to the transcript, by calls over HTTP to the
 * server as it runs in production:
 *
 *   node tests/journeys/oneroster.ts DIR [--students N] [--connections N] [--servers N] [--json FILE]
 *
 * `--students` drop and add a course at once over `--connections` (500 over 32 unless told), to one server process or
 * several; everybody else's registrations go through marks, control and the end of the term as well. Works on the empty
 * database of DATABASE_URL, else on an embedded one that is deleted afterwards. Prints what each step took, and ends with
 * an error at the first answer that is neither success nor a declared refusal, and when the figures do not agree.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { refusalCodes } from '#areas/enrolment/registration/registration-refusals.rules.ts'
import { mainFlags, seatMask } from '#areas/common/academics/status.rules.ts'
import type { Available, Requested } from '#areas/enrolment/registration/requests/request.contract.ts'
import type { FinishReport } from '#areas/records/grading/terms/terms.contract.ts'
import { createPool } from '#db/connect.ts'
import { startEmbedded } from '#db/embedded.ts'
import { temporaryFolder } from '#db/testing.ts'
import { closeSheets, readSheet, writeSheet } from '#kit/server/sheets/index.ts'
import type { WriteColumn } from '#kit/server/sheets/index.ts'
import { checkStored } from '../checker/checker.ts'
import { createClient, each, tableOf } from './client.ts'
import type { Caller, Client, Step } from './client.ts'
import { textOfPdf } from './pdf.ts'

export interface OneRosterOptions {
  /** Folder of the bundle. */
  readonly bundle: string
  /** How many students drop and add; fewer when the bundle has fewer. */
  readonly students: number
  /** Calls at once. */
  readonly connections?: number
  /** Server processes on the database. */
  readonly servers?: number
  /** An empty database. */
  readonly databaseUrl: string
  /** Told of each step as it ends. */
  readonly onStep?: (step: Step) => void
}

/** An independent look at what is stored. */
async function looked(url: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await checkStored(client)
  } finally {
    await client.end()
  }
}

/** What the journey came to; every list is empty when the university is in order. */
export interface OneRosterReport {
  readonly steps: readonly Step[]
  readonly counts: Readonly<Record<string, number>>
  /** Slots whose count is not that of the live registrations, or that are above their quota. */
  readonly wrongSeats: readonly unknown[]
  /** What the independent checker finds after the rush and at the end. */
  readonly found: readonly unknown[]
  /** Live registrations without a seat, and courses held twice in the term. */
  readonly wrongRegistrations: readonly unknown[]
  /** Offerings that did not reach Published. */
  readonly unpublished: readonly unknown[]
  readonly finish: FinishReport
  readonly finishedAgain: FinishReport
  /** Differences between stored and computed term results. */
  readonly differences: readonly unknown[]
  /** Students with live registrations but no row of the term. */
  readonly withoutRow: readonly unknown[]
  /** Text of the transcripts of one student; null where no `pdftotext` is. */
  readonly transcripts: Readonly<Record<'ar' | 'en', { readonly pdf: Buffer; readonly text: string | null }>>
  readonly transcriptOf: { readonly code: string; readonly courses: readonly string[] }
  /** What a second import of the same bundle reported per kind of record. */
  readonly importedAgain: Readonly<Record<string, string>>
}

const ROOT = path.join(import.meta.dirname, '../..')
const MAIL = 'administrator@example.edu'

/** Pseudo-random by seed: the same journey every time. In [0, 1). */
function chance(...seed: (string | number)[]): number {
  let h = 2166136261
  for (const c of seed.join('/')) h = Math.imul(h ^ c.charCodeAt(0), 16777619)
  h = Math.imul(h ^ (h >>> 15), 2246822507)
  h = Math.imul(h ^ (h >>> 13), 3266489909)
  return ((h ^ (h >>> 16)) >>> 0) / 2 ** 32
}

/** Everybody's password here. */
const secretOf = (email: string): string => `quiet river ${Math.floor(chance('password', email) * 1e9)}`

/** Runs a command of the program, and answers what it printed. */
async function command(file: string, args: readonly string[], env: Record<string, string>): Promise<string> {
  const child = spawn(process.execPath, [path.join(ROOT, file), ...args], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  let errors = ''
  child.stdout.on('data', (part: Buffer) => (out += part))
  child.stderr.on('data', (part: Buffer) => (errors += part))
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`${file} ended with ${code}:\n${out}${errors}`)
  return out
}

/** A server of production as a child process, on a free port. */
async function startServer(env: Record<string, string>): Promise<{ address: string; stop: () => Promise<void> }> {
  const child = spawn(process.execPath, [path.join(ROOT, 'apps/server/main.ts')], {
    cwd: ROOT,
    env: {
      ...process.env,
      HOST: '127.0.0.1',
      PORT: '0',
      LOG_LEVEL: 'info',
      SECRETS_KEY: 'of tests: 7hQ2vX9mB4tR8kD1sW6yJ3nF5cL0zP',
      MAIL_FOLDER: path.join(env.DATA_DIR ?? os.tmpdir(), 'mail'),
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(child, 'close')
  let last = ''
  const address = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stderr }).on('line', (line) => {
      last = `${last}\n${line}`.slice(-4000)
      const { msg, address } = line.startsWith('{') ? (JSON.parse(line) as { msg?: string; address?: string }) : {}
      if (msg === 'ready' && address) resolve(address)
      if (line.includes('"level":50')) console.error(line.slice(0, 2000))
    })
    child.once('close', () => reject(new Error(`The server did not start: ${last}`)))
  })
  return {
    address,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Lines `offerings  20 new, 0 changed, …` of the import command, by kind. */
const countsOf = (printed: string): Record<string, string> =>
  Object.fromEntries([...printed.matchAll(/^ {2}(\w+)\s+(\d+ new, .*)$/gm)].map((m) => [m[1]!, m[2]!]))

export async function oneRosterJourney(options: OneRosterOptions): Promise<OneRosterReport> {
  const { bundle, connections = 32, servers = 1, databaseUrl, onStep } = options
  const folder = await mkdtemp(path.join(os.tmpdir(), 'ems-journey-'))
  const env = { DATABASE_URL: databaseUrl, DATA_DIR: folder, POOL_SIZE: '10' }
  const pool = createPool(databaseUrl, { max: 4, applicationName: 'journey' })
  const query = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
    (await pool.query(text, values)).rows as Row[]
  const running: { address: string; stop: () => Promise<void> }[] = []
  let client: Client = createClient(['http://127.0.0.1:1'], 1)
  const step = async <T>(name: string, work: () => Promise<T>, note?: (result: T) => string): Promise<T> => {
    const result = await client.step(name, work, note)
    onStep?.(client.steps.at(-1)!)
    return result
  }

  try {
    // The bundle ---------------------------------------------------------------------------------------------------
    const printed = await step(
      'import of the bundle',
      () => command('apps/server/commands/import.ts', [bundle, '--administrator', MAIL], env),
      (text) =>
        Object.entries(countsOf(text))
          .map(([kind, count]) => `${kind} ${count.split(' ')[0]}`)
          .join(', '),
    )
    const password = /^ {2}\S+@\S+ {2}(\S+)$/m.exec(printed)?.[1]
    if (!password) throw new Error(`The import printed no administrator:\n${printed}`)
    const before = client.steps
    await step('start of the server', async () => {
      for (let i = 0; i < servers; i++) running.push(await startServer(env))
    })
    client = createClient(
      running.map((one) => one.address),
      connections,
    )
    client.steps.push(...before)

    // People -------------------------------------------------------------------------------------------------------
    const signIn = async (email: string, secret: string, type?: number): Promise<Caller> =>
      client.as(
        (await client.nobody('POST', '/login', { email, password: secret, ...(type && { type }) })).body.data
          .token as string,
      )
    /** Has links sent to people, and takes them out of the mails that were written. */
    const linksFor = async (
      by: Caller,
      people: readonly { user_id: number; email: string }[],
    ): Promise<Map<string, string>> => {
      await each(people, connections, ({ user_id }) => by('POST', '/users/reset-password', { user_id }))
      const links = new Map<string, string>()
      const read = new Set<string>()
      const until = Date.now() + 60_000 + people.length * 200
      const wanted = new Set(people.map((one) => one.email))
      for (;;) {
        for (const file of await readdir(path.join(folder, 'mail')).catch(() => [])) {
          if (read.has(file)) continue
          const text = await readFile(path.join(folder, 'mail', file), 'utf8')
          const to = /^To: (.*)$/m.exec(text)?.[1]
          const token = /[?&]token=([\w-]+)/.exec(text)?.[1]
          // A file that is just being written is read again.
          if (!to || !text.endsWith('\n')) continue
          read.add(file)
          if (token && wanted.has(to)) links.set(to, token)
        }
        if (links.size >= wanted.size) return links
        if (Date.now() > until) throw new Error(`Only ${links.size} of ${wanted.size} mails with a link were written`)
        await sleep(100)
      }
    }
    const setPasswords = async (by: Caller, people: readonly { user_id: number; email: string }[]): Promise<void> => {
      const links = await linksFor(by, people)
      await each(people, connections, ({ email }) =>
        client.nobody('POST', '/users/reset-password', { token: links.get(email), password: secretOf(email) }),
      )
    }
    const administrator = await step('administrator signs in', () => signIn(MAIL, password))

    // Until the screens for users are there, the first registrar and head of control are written as the import would.
    const staff = await query<{ user_id: number; email: string }>(
      `with made as (insert into users (type, email, name, name_local) values
           (2, 'registrar@example.edu', 'Registrar', 'المسجل'), (2, 'control@example.edu', 'Head of control', 'رئيس الكنترول')
         returning id, email),
       given as (insert into role_assignments (user_id, role_id)
         select made.id, roles.id from made join roles on roles.key = case made.email when 'registrar@example.edu' then 'registrar' else 'control_head' end)
       select id as user_id, email from made order by id`,
    )
    const [registrar, control] = await step('registrar and head of control set passwords and sign in', async () => {
      await setPasswords(administrator, staff)
      return [
        await signIn(staff[0]!.email, secretOf(staff[0]!.email)),
        await signIn(staff[1]!.email, secretOf(staff[1]!.email)),
      ]
    })
    if (!registrar || !control) throw new Error('Nobody to register and to grade')

    const term = (await administrator('GET', '/system/current-terms')).body.data.current_term as {
      id: number
      code: string
    }
    const chosen = await query<{ id: number; code: string; user_id: number; email: string }>(
      `select s.id, s.code, s.user_id, u.email from students s join users u on u.id = s.user_id
       where exists (select from registrations r where r.student_id = s.id and r.term_id = $1) and u.blocked_at is null
       order by u.email is null, s.id limit $2`,
      [term.id, options.students],
    )
    if (!chosen.length) throw new Error(`Nobody is registered in the term ${term.code}`)
    // Not every system knows e-mails: those who have none here are given one, as their registrar would.
    for (const one of chosen.filter(({ email }) => email === null)) {
      one.email = `student-${one.id}@journey.example.edu`
      await query('update users set email = $2 where id = $1', [one.user_id, one.email])
    }
    await step('students get links and set passwords', () => setPasswords(administrator, chosen))
    const students = await step(
      'students sign in',
      () =>
        each(chosen, connections, async (student) => ({
          ...student,
          call: await signIn(student.email, secretOf(student.email), 3),
        })),
      (all) => `${all.length} students`,
    )

    // Windows ------------------------------------------------------------------------------------------------------
    await step('windows opened', async () => {
      const codes = (await registrar('POST', '/lookups/get', { name: 'stageCode', search: '' })).body.data as {
        id: number
        code: string
      }[]
      const day = 86_400_000
      for (const code of ['register', 'add_drop']) {
        await registrar('PUT', '/stages', {
          term_id: term.id,
          stage_code_id: codes.find((one) => one.code === code)!.id,
          starts_at: new Date(Date.now() - day).toISOString(),
          ends_at: new Date(Date.now() + day).toISOString(),
        })
      }
    })

    // Drop and add -------------------------------------------------------------------------------------------------
    const held = await step('students look at what they have', () =>
      each(
        students,
        connections,
        async ({ call }) => (await call('GET', '/registrations/students/requested-offerings')).body.data as Requested,
      ),
    )
    const offered = await step(
      'students look at what there is',
      () =>
        each(
          students,
          connections,
          async ({ call }) => (await call('GET', '/registrations/students/available-offerings')).body.data as Available,
        ),
      (all) =>
        `${Math.min(...all.map((one) => one.offerings.length))} to ${Math.max(...all.map((one) => one.offerings.length))} offerings each`,
    )
    // Everybody wants two of the few courses with the fewest seats: enough for a third of them.
    const free = new Map(
      offered.flatMap((one) =>
        one.offerings.map((o) => [o.id, o.slots.reduce((sum, slot) => sum + slot.free, 0)] as const),
      ),
    )
    const hot: number[] = []
    let seats = 0
    for (const [id, left] of [...free].toSorted((x, y) => x[1] - y[1] || x[0] - y[0])) {
      if (left <= 0 || seats * 3 >= students.length) continue
      hot.push(id)
      seats += left
    }
    const outcome = { dropped: 0, added: 0, waiting: 0, without: 0 }
    await step(
      'all drop and add at once',
      () =>
        each(students, connections, async ({ call, code }, i) => {
          const own = held[i]!.registrations.filter((one) => one.state === 'Registered')
          const gone = own[Math.floor(chance('drop', code) * own.length)]
          if (gone) {
            await call('PUT', '/registrations/students/addDrop-offering', {
              action: 'drop',
              registration_ids: [gone.id],
            })
            outcome.dropped++
          }
          const possible = offered[i]!.offerings.filter(
            (one) => !one.registration && one.refusals.every((r) => r.code === 'slot_full'),
          ).toSorted((x, y) => chance(code, x.id) - chance(code, y.id))
          const wish = [
            ...possible.filter((one) => hot.includes(one.id)).slice(0, 2),
            ...possible.filter((one) => !hot.includes(one.id)).slice(0, 3),
          ]
          for (const wanted of wish) {
            const offering_slot_ids = wanted.slots.slice(0, 1).map((slot) => slot.id)
            const reply = await call(
              'PUT',
              '/registrations/students/addDrop-offering',
              { action: 'add', offerings: [{ offering_id: wanted.id, offering_slot_ids }] },
              { may: refusalCodes },
            )
            if (reply.status < 300) {
              outcome.added++
              return
            }
            // Half of those who come too late wait for a seat; the others try elsewhere.
            if (reply.codes.every((c) => c === 'slot_full') && chance('wait', code) < 0.5) {
              const queue = await call(
                'PUT',
                '/registrations/students/wait-list',
                { offering_id: wanted.id, offering_slot_ids },
                { may: [...refusalCodes, 'wait_not_full', 'wait_already'] },
              )
              if (queue.status < 300) {
                outcome.waiting++
                return
              }
            }
          }
          outcome.without++
        }),
      () =>
        `${outcome.dropped} dropped, ${outcome.added} added, ${outcome.waiting} wait, ${outcome.without} got none; ${seats} seats in ${hot.length} scarce offerings`,
    )
    const wrongSeats = () =>
      query(
        `select s.id, s.offering_id, s.taken, s.quota, s.over_quota, count(r.id)::int as live, count(rs.registration_id)::int as rows
         from offering_slots s left join registration_slots rs on rs.offering_slot_id = s.id
           left join registrations r on r.id = rs.registration_id and r.status & $1::bigint <> 0
         group by s.id having s.taken <> count(r.id) or s.taken > s.quota or count(rs.registration_id) <> count(r.id)`,
        [seatMask.toString()],
      )
    const afterRush = await wrongSeats()
    const found = await looked(databaseUrl)

    // Acceptance ---------------------------------------------------------------------------------------------------
    const requests = mainFlags.filter((name) => name.endsWith('Request'))
    const accepted = { requests: 0, refused: 0, rounds: 0 }
    await step(
      'registrar accepts everything',
      async () => {
        // What is dropped moves the wait lists on, so new requests come while these are accepted.
        for (let quiet = 0; quiet < 3; accepted.rounds++) {
          const waiting = await listAll<{ student_id: { id: number } | number }>(registrar, '/registrations', {
            term_id: term.id,
            state: requests,
          })
          const ids = [...new Set(waiting.map(({ student_id: s }) => (typeof s === 'number' ? s : s.id)))]
          await each(ids, connections, async (student_id) => {
            const { done, failed } = (
              await registrar('PUT', '/registrations/students/accept-all-requested-offerings', {
                student_id,
                term_id: term.id,
              })
            ).body as { done: number[]; failed: { errors: { code: string }[] }[] }
            accepted.requests += done.length
            accepted.refused += failed.length
            if (failed.length)
              throw new Error(`Not accepted for student ${student_id}: ${JSON.stringify(failed).slice(0, 500)}`)
          })
          quiet = ids.length ? 0 : quiet + 1
          if (!ids.length) await sleep(300)
          if (accepted.rounds > 100) throw new Error('Requests never end')
        }
      },
      () => `${accepted.requests} accepted in ${accepted.rounds} rounds`,
    )

    // Marks --------------------------------------------------------------------------------------------------------
    interface ControlRow {
      id: number
      students: number
      missing_marks: number
      control_status: string
      scheme_sound: boolean
    }
    const inControl = (filters: Record<string, unknown> = {}) =>
      listAll<ControlRow>(control, '/control/offerings', { term_id: term.id, ...filters })
    const offerings = await step(
      'offerings of the term in control',
      () => inControl(),
      (rows) => `${rows.length} offerings`,
    )
    await step(
      'marks by spreadsheet for every offering',
      () =>
        each(
          offerings.filter((one) => one.students > 0),
          Math.min(connections, 6),
          async ({ id }) => {
            const template = await control('GET', `/offerings/export-student-grades/${id}/template`)
            const content = await filled(template.bytes)
            const name = 'Grades.xlsx'
            const { data } = (
              await control('POST', `/offerings/import-student-grades/${id}/preview`, undefined, {
                file: { name, content: content.bytes },
              })
            ).body as { data: { import_id: string; changes: number; errors: unknown[] } }
            if (data.errors.length || data.changes !== content.marks)
              throw new Error(
                `Sheet of offering ${id}: ${data.changes} of ${content.marks} marks, ${JSON.stringify(data.errors).slice(0, 500)}`,
              )
            const { saved } = (await control('POST', `/offerings/import-student-grades/${id}/${data.import_id}`))
              .body as { saved: number }
            if (saved !== content.marks)
              throw new Error(`Offering ${id}: ${saved} of ${content.marks} marks were saved`)
            return saved
          },
        ),
      (saved) => `${saved.reduce((a, b) => a + b, 0)} marks in ${saved.length} sheets`,
    )

    // Control ------------------------------------------------------------------------------------------------------
    for (const action of ['submit', 'review', 'approve', 'publish'] as const) {
      await step(
        `control: ${action} all`,
        async () => {
          const { done, failed } = (
            await control('POST', `/control/offerings/bulk/${action}`, { ids: offerings.map((one) => one.id) })
          ).body as {
            done: number[]
            failed: unknown[]
          }
          if (failed.length) throw new Error(`${failed.length} offerings: ${JSON.stringify(failed).slice(0, 800)}`)
          return done
        },
        (done) => `${done.length} offerings`,
      )
    }
    const unpublished = (await inControl()).filter((one) => one.control_status !== 'Published' || one.missing_marks > 0)

    // The end of the term ------------------------------------------------------------------------------------------
    const finish = async (): Promise<FinishReport> => {
      const { job_id, data } = (await registrar('POST', '/control/students/finish', { term_id: term.id })).body as {
        job_id: string | null
        data: FinishReport | null
      }
      if (!job_id) return data!
      for (;;) {
        const job = (await registrar('GET', `/jobs/${job_id}`)).body.data as {
          state: string
          result: FinishReport
          error: unknown
        }
        if (job.state === 'done') return job.result
        if (job.state === 'failed' || job.state === 'cancelled')
          throw new Error(`finish: ${job.state} ${JSON.stringify(job.error)}`)
        await sleep(200)
      }
    }
    const told = (one: FinishReport) =>
      `${one.finished} finished, ${one.changed} rows changed, ${one.not_finished} not finished`
    const finished = await step('the term is finished', finish, told)
    const finishedAgain = await step('finished again', finish, told)
    const recomputed = await step(
      'computed again',
      async () =>
        (await registrar('POST', '/control/students/recompute', { term_id: term.id })).body as {
          checked: number
          differences: unknown[]
          more: number
        },
      (one) => `${one.checked} students, ${one.differences.length + one.more} differences`,
    )

    // Papers -------------------------------------------------------------------------------------------------------
    // Whoever dropped the only course, or takes part in another term alone, has nothing to print: the first who has.
    const readings = await step('students look at their results', async () => {
      for (const student of students) {
        const { courses } = (await student.call('GET', '/students/courses')).body.data as {
          courses: { course: { code: string }; letter: string | null; main: string }[]
        }
        const results = courses.filter((one) => one.letter !== null).map((one) => one.course.code)
        if (results.length) return { reader: student, results }
      }
      throw new Error(`None of ${students.length} students has a result to print`)
    })
    const { reader } = readings
    const papers = await step('transcripts of one student', async () => {
      const made: Record<string, { pdf: Buffer; text: string | null }> = {}
      for (const lang of ['ar', 'en'] as const) {
        const { bytes } = await registrar('POST', `/students/${reader.id}/transcript/${lang}`, {})
        made[lang] = { pdf: bytes, text: await textOfPdf(bytes) }
      }
      return made as OneRosterReport['transcripts']
    })
    const importedAgain = countsOf(
      await step('import of the same bundle again', () => command('apps/server/commands/import.ts', [bundle], env)),
    )

    // Figures ------------------------------------------------------------------------------------------------------
    const live = seatMask.toString()
    const wrongRegistrations = await query(
      `select r.id, r.student_id, r.offering_id, 'no seat' as what from registrations r
       where r.status & $1::bigint <> 0 and not exists (select from registration_slots rs where rs.registration_id = r.id)
       union all
       select min(r.id), r.student_id, min(r.offering_id), 'twice' from registrations r where r.status & $1::bigint <> 0
       group by r.student_id, r.term_id, r.course_id having count(*) > 1`,
      [live],
    )
    const withoutRow = await query(
      `select distinct r.student_id from registrations r where r.term_id = $1 and r.status & $2::bigint <> 0
         and not exists (select from student_terms t where t.student_id = r.student_id and t.term_id = r.term_id)`,
      [term.id, live],
    )
    const [counts] = await query<Record<string, number>>(
      `select (select count(*)::int from students) as students, (select count(*)::int from offerings) as offerings,
         (select count(*)::int from registrations where term_id = $1 and status & $2::bigint <> 0) as live_registrations,
         (select coalesce(sum(taken), 0)::int from offering_slots where term_id = $1) as seats_taken, (select count(*)::int from student_terms where term_id = $1) as term_rows,
         (select count(*)::int from registration_marks) as marks, (select count(*)::int from registrations where term_id = $1 and letter is not null) as results,
         (select count(distinct student_id)::int from registrations where term_id = $1 and status & $2::bigint <> 0) as registered_students`,
      [term.id, live],
    )
    return {
      steps: client.steps,
      counts: { ...counts, ...outcome, accepted: accepted.requests },
      wrongSeats: [...afterRush, ...(await wrongSeats())],
      found: [...found, ...(await looked(databaseUrl))],
      wrongRegistrations,
      unpublished,
      finish: finished,
      finishedAgain,
      differences: recomputed.differences,
      withoutRow,
      transcripts: papers,
      transcriptOf: { code: reader.code, courses: readings.results },
      importedAgain,
    }
  } finally {
    await client.close()
    for (const server of running) await server.stop()
    await pool.end()
    await rm(folder, { recursive: true, force: true })
  }
}

/** All rows of a list. */
async function listAll<Row>(as: Caller, at: string, filters: Record<string, unknown>): Promise<Row[]> {
  const rows: Row[] = []
  for (let page = 1; ; page++) {
    const { data, meta } = (await as('POST', at, { page, perPage: 500, filters })).body as {
      data: Row[]
      meta: { count: number }
    }
    rows.push(...data)
    if (!data.length || rows.length >= meta.count) return rows
  }
}

/** A template of marks with a mark in every cell: most pass, few fail, one in a hundred was absent from the last paper. */
async function filled(template: Buffer): Promise<{ bytes: Uint8Array; marks: number }> {
  const [sheet] = (await readSheet(template)).sheets
  const [head, ...lines] = sheet!.rows
  const columns = head!.map(({ text }, i): WriteColumn & { max: number } => ({
    header: text,
    key: `c${i}`,
    type: 'text',
    max: Number(/\((\d+(?:\.\d+)?)\)\s*$/.exec(text)?.[1] ?? 0),
  }))
  const last = columns.findLastIndex((column) => column.max > 0)
  let marks = 0
  const rows = lines.map((cells) => {
    const code = cells[0]!.text
    const gift = 0.45 + 0.55 * Math.sqrt(chance('gift', code))
    return Object.fromEntries(
      columns.map(({ key, max }, i) => {
        if (!max) return [key, cells[i]?.text ?? '']
        marks++
        if (i === last && chance('absent', code, sheet!.name) < 0.01) return [key, 'A']
        const part = Math.min(1, gift + (chance(code, sheet!.name, i) - 0.5) * 0.3)
        return [key, String(Math.round(part * max * 2) / 2)]
      }),
    )
  })
  return { bytes: await writeSheet({ sheets: [{ name: 'Marks', direction: 'ltr', columns, rows }] }), marks }
}

/** What is not as it must be, in words; empty when all is well. */
export function faultsOf(report: OneRosterReport): string[] {
  const { counts, finish, finishedAgain, transcripts, transcriptOf, importedAgain } = report
  const some = (what: string, rows: readonly unknown[]): string[] =>
    rows.length ? [`${rows.length} ${what}: ${JSON.stringify(rows.slice(0, 5))}`] : []
  const when = (wrong: boolean, text: string): string[] => (wrong ? [text] : [])
  return [
    ...some('slots with wrong seats', report.wrongSeats),
    ...some('wrong registrations', report.wrongRegistrations),
    ...some('things that the checker finds', report.found),
    ...some('offerings not published', report.unpublished),
    ...some('students without a row of the term', report.withoutRow),
    ...some('differences in term results', report.differences),
    ...some('students not finished', finish.students),
    ...when(
      counts.seats_taken !== counts.live_registrations,
      `${counts.seats_taken} seats taken, ${counts.live_registrations} live registrations`,
    ),
    ...when(
      finish.finished !== counts.registered_students,
      `${finish.finished} students finished of ${counts.registered_students}`,
    ),
    ...when(finishedAgain.changed !== 0, `finishing again changed ${finishedAgain.changed} rows`),
    ...when(
      counts.results! < counts.live_registrations!,
      `${counts.results} results of ${counts.live_registrations} registrations`,
    ),
    ...Object.entries(importedAgain).flatMap(([kind, count]) =>
      when(!count.startsWith('0 new, 0 changed,'), `importing again: ${kind} ${count}`),
    ),
    ...(['ar', 'en'] as const).flatMap((lang) => {
      const { pdf, text } = transcripts[lang]
      if (pdf.subarray(0, 4).toString() !== '%PDF') return [`the ${lang} transcript is no PDF`]
      if (text === null) return []
      return [transcriptOf.code, ...transcriptOf.courses].flatMap((word) =>
        when(!text.includes(word), `${word} is not in the ${lang} transcript`),
      )
    }),
    ...when(transcriptOf.courses.length === 0, 'the student sees no results'),
  ]
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      students: { type: 'string', default: '500' },
      connections: { type: 'string', default: '32' },
      servers: { type: 'string', default: '1' },
      json: { type: 'string' },
    },
  })
  const [bundle] = positionals
  if (!bundle) {
    console.error(
      'usage: node tests/journeys/oneroster.ts DIR [--students N] [--connections N] [--servers N] [--json FILE]',
    )
    return 2
  }
  const folder = process.env.DATABASE_URL ? undefined : temporaryFolder('journey-db')
  const embedded = folder ? await startEmbedded({ folder }) : undefined
  try {
    const begun = performance.now()
    const report = await oneRosterJourney({
      bundle,
      students: Number(values.students),
      connections: Number(values.connections),
      servers: Number(values.servers),
      databaseUrl: process.env.DATABASE_URL ?? embedded!.url,
      onStep: ({ name, seconds }) => console.error(`${seconds.toFixed(1).padStart(7)} s  ${name}`),
    })
    console.log(`\n${tableOf(report.steps)}\n`)
    console.log(
      Object.entries(report.counts)
        .map(([name, count]) => `${name.replaceAll('_', ' ')} ${count}`)
        .join(', '),
    )
    const faults = faultsOf(report)
    console.log(
      faults.length
        ? `\nWRONG:\n  ${faults.join('\n  ')}`
        : `\nEverything agrees. ${((performance.now() - begun) / 1000).toFixed(0)} s in all.`,
    )
    if (values.json) {
      const { transcripts: _papers, ...rest } = report
      await writeFile(values.json, `${JSON.stringify({ ...rest, faults }, null, 2)}\n`)
    }
    return faults.length ? 1 : 0
  } finally {
    await closeSheets()
    await embedded?.stop()
    if (folder) await rm(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) process.exitCode = await main()
