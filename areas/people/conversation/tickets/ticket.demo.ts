import { firstRow } from '#db/rows.ts'
import { sql } from 'kysely'
import { demoPart } from '#demo/part.ts'

/** What students and staff ask, and what became of it. */
const ASKED: readonly (readonly [
  group: string,
  type: string,
  subject: string,
  body: string,
  status: string,
  answer: string | null,
  days: number,
])[] = [
  [
    'REG',
    'problem',
    'لا أستطيع إضافة مقرر قواعد البيانات',
    'يظهر لي أن المجموعة ممتلئة مع أن فيها أماكن.',
    'open',
    null,
    0,
  ],
  [
    'REG',
    'question',
    'Can I take two courses of level four?',
    'I am in level three and have 102 hours.',
    'in_progress',
    'We ask your advisor and come back to you tomorrow.',
    1,
  ],
  [
    'CERT',
    'request',
    'شهادة قيد باللغة الإنجليزية',
    'أحتاجها للتقديم على تدريب صيفي قبل نهاية الشهر.',
    'waiting',
    'أرسل من فضلك صورة جواز السفر لكتابة الاسم كما فيه.',
    2,
  ],
  [
    'CERT',
    'question',
    'When is my transcript ready?',
    'I asked for it last week.',
    'resolved',
    'It is ready at the window, second floor.',
    4,
  ],
  [
    'IT',
    'problem',
    'نسيت كلمة المرور ولا تصلني الرسالة',
    'جربت ثلاث مرات منذ الصباح.',
    'closed',
    'عدّلنا عنوان البريد في سجلك، جرّب الآن.',
    6,
  ],
  [
    'IT',
    'problem',
    'The timetable does not open on my phone',
    'The page stays empty since the update.',
    'reopened',
    'Please try again, it was mended this morning.',
    3,
  ],
  [
    'HOUSE',
    'complaint',
    'تكييف القاعة 204 لا يعمل',
    'المحاضرات من العاشرة حتى الثانية في حر شديد.',
    'in_progress',
    'أُبلغت الصيانة، والموعد غدًا صباحًا.',
    2,
  ],
  ['HOUSE', 'suggestion', 'More sockets in the library', 'There are four for a hundred seats.', 'open', null, 1],
  [
    'REG',
    'complaint',
    'تعارض في جدولي',
    'محاضرتان في الوقت نفسه يوم الثلاثاء.',
    'resolved',
    'نُقلت إلى المجموعة الثانية ولا تعارض الآن.',
    5,
  ],
  [
    'REG',
    'request',
    'Move to group 2 of Algorithms',
    'My bus arrives at nine.',
    'closed',
    'Done. Your timetable shows it.',
    8,
  ],
  ['REG', 'question', 'متى يبدأ الحذف والإضافة؟', 'لم أجد الموعد في التقويم.', 'open', null, 0],
  ['CERT', 'request', 'A letter for the embassy', 'They want my level and my expected graduation.', 'open', null, 0],
  ['IT', 'problem', 'الشبكة اللاسلكية لا تعمل في المكتبة', 'منذ أمس في الدور الثاني.', 'open', null, 1],
  ['HOUSE', 'request', 'A room for the robotics club', 'Thirty people, Wednesdays after four.', 'open', null, 1],
]

export default demoPart(
  ['tickets', 'ticket_messages'],
  ['ticket_groups', 'ticket_group_members', 'students'],
  async (tx) => {
    const { rows: students } = await sql<{ user_id: number }>`select user_id from students where user_id is not null
      order by id limit ${ASKED.length}`.execute(tx)
    for (const [i, [group, type, subject, body, status, answer, days]] of ASKED.entries()) {
      // The first student has several, so that the demo account sees its own.
      const asker = students[i % 3 === 0 ? 0 : i]!.user_id
      const { rows } = await sql<{ id: number; member: number }>`
        insert into tickets (number, group_id, asker_id, type, subject, status, created_at, responded_at, resolved_at, score)
        select 'T-' || x.year || '-' || lpad(take_serial('tickets', x.year)::text, 5, '0'), g.id, ${asker}, ${type}, ${subject}, ${status},
          x.at, ${answer === null ? null : sql`x.at + interval '3 hours'`},
          ${status === 'resolved' || status === 'closed' ? sql`x.at + interval '1 day'` : null}, ${status === 'closed' ? 5 - (i % 2) : null}
        from ticket_groups g, (select now() - make_interval(days => ${days}, hours => 2) as at, to_char(now() at time zone university_zone(), 'YYYY') as year) x
        where g.code = ${group} returning id, (select min(m.user_id) from ticket_group_members m where m.group_id = tickets.group_id) as member`.execute(
        tx,
      )
      const { id, member } = firstRow(rows)
      await sql`insert into ticket_messages (ticket_id, author_id, body, client_key, created_at)
        select id, asker_id, ${body}, gen_random_uuid(), created_at from tickets where id = ${id}`.execute(tx)
      if (answer !== null) {
        await sql`insert into ticket_messages (ticket_id, author_id, internal, body, client_key, created_at)
          select id, ${member}, x.internal, x.body, gen_random_uuid(), created_at + x.later from tickets,
            (values (true, 'راجعت السجل، لا مانع.', interval '2 hours'), (false, ${answer}, interval '3 hours')) x (internal, body, later)
          where id = ${id}`.execute(tx)
      }
      await sql`insert into step_history (workflow, record_id, actor_id, action, from_state, to_state, at)
        select 'ticket', id, asker_id, 'begin', null, 'open', created_at from tickets where id = ${id}`.execute(tx)
      if (status !== 'open')
        await sql`insert into step_history (workflow, record_id, actor_id, action, from_state, to_state, at)
          select 'ticket', id, ${member}, ${{ in_progress: 'start', waiting: 'wait', resolved: 'resolve', closed: 'close', reopened: 'reopen' }[status] ?? 'start'},
            ${status === 'reopened' ? 'resolved' : 'open'}, ${status}, created_at + interval '3 hours' from tickets where id = ${id}`.execute(
          tx,
        )
    }
  },
)
