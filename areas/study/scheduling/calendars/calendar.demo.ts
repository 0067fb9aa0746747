import { addDays } from '#kit/contract/day.ts'
import { fromHijri, ummAlQura } from '#kit/contract/hijri.ts'
import { followIds, insertRows } from '#db/bulk.ts'
import { demoPart } from '#demo/part.ts'

/** Orthodox Easter, by which the Monday of Sham El Nessim follows: Meeus' rule, in the Gregorian calendar of this century. */
function easter(year: number): string {
  const d = (19 * (year % 19) + 15) % 30
  const e = (2 * (year % 4) + 4 * (year % 7) - d + 34) % 7
  const month = Math.floor((d + e + 114) / 31)
  const day = ((d + e + 114) % 31) + 1
  return addDays(`${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`, 13)
}

type Line = readonly [
  name: string,
  name_local: string,
  from: string,
  to: string,
  more?: Readonly<Record<string, unknown>>,
]

/** The official holidays of Egypt between two days. */
function holidays(from: string, to: string): Line[] {
  const years = [Number(from.slice(0, 4)), Number(to.slice(0, 4))]
  const civil = (name: string, name_local: string, day: string): Line[] =>
    years.map((year) => [name, name_local, `${year}-${day}`, `${year}-${day}`])
  const first = ummAlQura(from).year
  const lunar = (name: string, name_local: string, month: number, day: number, days: number): Line[] =>
    [first, first + 1].flatMap((year) => {
      const start = fromHijri({ year, month, day })
      return start ? [[name, name_local, start, addDays(start, days - 1)] as const] : []
    })
  return [
    ...civil('Armed Forces Day', 'عيد القوات المسلحة', '10-06'),
    ...civil('Coptic Christmas', 'عيد الميلاد المجيد', '01-07'),
    ...civil('25 January Revolution and Police Day', 'عيد ثورة ٢٥ يناير وعيد الشرطة', '01-25'),
    ...civil('Sinai Liberation Day', 'عيد تحرير سيناء', '04-25'),
    ...civil('Labour Day', 'عيد العمال', '05-01'),
    ...civil('30 June Revolution', 'عيد ثورة ٣٠ يونيو', '06-30'),
    ...civil('Revolution Day', 'عيد ثورة ٢٣ يوليو', '07-23'),
    ...years.map((year): Line => ['Sham El Nessim', 'شم النسيم', addDays(easter(year), 1), addDays(easter(year), 1)]),
    ...lunar('Islamic New Year', 'رأس السنة الهجرية', 1, 1, 1),
    ...lunar('Prophet’s Birthday', 'المولد النبوي الشريف', 3, 12, 1),
    ...lunar('Eid al-Fitr', 'عيد الفطر المبارك', 10, 1, 3),
    ...lunar('Arafat Day and Eid al-Adha', 'وقفة عرفات وعيد الأضحى المبارك', 12, 9, 4),
  ].filter(([, , start]) => from <= start && start <= to)
}

/** The calendar of the academic year: the holidays of Egypt, Ramadan, and days of the university, a faculty, students and staff. */
export default demoPart(['calendar_events'], ['faculties', 'terms'], async (tx, demo) => {
  const year = demo.years.at(-1)!
  const term = demo.terms.find((one) => one.id === demo.current_terms.current_term)!
  const within = (days: number) => addDays(term.start_date, days)
  const hijriYear = ummAlQura(year.start_date).year
  const ramadan = [hijriYear, hijriYear + 1].flatMap((h): Line[] => {
    const [from, end] = [fromHijri({ year: h, month: 9, day: 1 }), fromHijri({ year: h, month: 10, day: 1 })]
    return from && end && year.start_date <= from && from <= year.end_date
      ? [['Ramadan', 'شهر رمضان', from, addDays(end, -1), { layer: 'ramadan', colour: 'green' }]]
      : []
  })
  const lines: Line[] = [
    ...holidays(year.start_date, year.end_date).map(([name, local, from, to]): Line => [
      name,
      local,
      from,
      to,
      { no_teaching: true, colour: 'red' },
    ]),
    ...ramadan,
    ['First day of lectures', 'بدء الدراسة', term.start_date, term.start_date],
    ['Last week of lectures', 'الأسبوع الأخير للدراسة', within(98), within(103), { colour: 'amber' }],
    ['University sports day', 'اليوم الرياضي للجامعة', within(39), within(39), { no_teaching: true }],
    [
      'Faculty council',
      'مجلس الكلية',
      within(31),
      within(31),
      { layer: 'staff', faculty_id: 1, start_time: '12:00', end_time: '14:00', colour: 'slate' },
    ],
    [
      'Faculty open day',
      'اليوم المفتوح للكلية',
      within(46),
      within(47),
      { layer: 'faculty', faculty_id: 1, no_teaching: true, colour: 'amber' },
    ],
    [
      'Elections of the student union',
      'انتخابات اتحاد الطلاب',
      within(53),
      within(53),
      { layer: 'students', colour: 'amber' },
    ],
    [
      'Training for new assistants',
      'تدريب المعيدين الجدد',
      within(60),
      within(61),
      { layer: 'staff', colour: 'slate' },
    ],
  ]
  await insertRows(
    tx,
    'calendar_events',
    lines.map(([name, name_local, start_date, end_date, more], i) => ({
      id: i + 1,
      layer: 'university',
      name,
      name_local,
      start_date,
      end_date,
      start_time: null,
      end_time: null,
      faculty_id: null,
      no_teaching: false,
      colour: 'blue',
      ...more,
    })),
  )
  await followIds(tx, 'calendar_events')
})
