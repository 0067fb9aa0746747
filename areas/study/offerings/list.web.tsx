import {
  IconClipboardList,
  IconFileSpreadsheet,
  IconFileZip,
  IconLock,
  IconLockOpen,
  IconPlus,
} from '@tabler/icons-react'
import { useTermFilter } from '#areas/study/terms/terms/term-filter.web.tsx'
import { TermPicker } from '#areas/study/terms/terms/term-picker.web.tsx'
import { f } from '#kit/contract/index.ts'
import { download, useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Code, Name, Status, notify, withOverlay } from '#kit/web/feedback/index.ts'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import type { ListParts } from '#kit/web/fields/resource-web.ts'
import { formatNumber, paperLanguageOf, problemText, useLabel, useT } from '#kit/web/i18n/index.ts'
import type { Column } from '#kit/web/list/columns.ts'
import type { AnyRow } from '#kit/web/list/columns.ts'
import ResourceList from '#kit/web/list/resource-list.tsx'
import { to, useSearchParams } from '#kit/web/router/index.ts'
import { offering, offeringCalls } from './offering.contract.ts'
import css from './offerings.module.css'
import { People, SeatBar } from './parts.web.tsx'
import type { OfferingRow } from './parts.web.tsx'
import { reportCalls } from './reports/reports.contract.ts'

const F = offering.fields
const filters = {
  course_id: F.course_id,
  faculty_id: F.faculty_id,
  department_id: F.department_id,
  program_id: f.lookup(['Program', 'البرنامج'], 'program'),
  instructor_id: f.lookup(['Instructor', 'عضو هيئة التدريس'], 'instructor'),
  level: F.level,
  is_open: F.is_open,
  seats: f.choice(
    ['Seats', 'المقاعد'],
    [
      { value: 'free', label: ['With free seats', 'بها مقاعد شاغرة'] },
      { value: 'full', label: ['Full', 'مكتملة'] },
      { value: 'waiting', label: ['With a wait list', 'عليها قائمة انتظار'] },
      { value: 'few', label: ['Under the minimum of students', 'أقل من الحد الأدنى للطلاب'] },
      { value: 'unplaced', label: ['Meetings without a time', 'مواعيد غير محددة'] },
    ],
  ),
  control_status: F.control_status,
  linked: f.flag(['Linked offerings only', 'المرتبطة فقط']),
}
const view = (key: string, en: string, ar: string, value: Record<string, unknown>) => ({
  key,
  label: [en, ar] as const,
  query: `filters=${encodeURIComponent(JSON.stringify(value))}`,
})
const VIEWS = [
  view('full', 'Full', 'مكتملة', { seats: 'full' }),
  view('waiting', 'With a wait list', 'عليها قائمة انتظار', { seats: 'waiting' }),
  view('unplaced', 'Meetings without a time', 'مواعيد غير محددة', { seats: 'unplaced' }),
  view('closed', 'Closed', 'مغلقة', { is_open: false }),
]

const COLUMNS: readonly Column<OfferingRow & AnyRow>[] = [
  {
    key: 'course_id',
    label: F.course_id.label,
    sort: true,
    width: 280,
    cell: (row) => (
      <span className={css.course}>
        <Name row={row.course} />
        <small>
          <Code>
            {row.course?.code} · {row.code}
          </Code>
        </small>
      </span>
    ),
  },
  { key: 'instructors', label: F.instructors.label, width: 190, cell: (row) => <People list={row.instructors} /> },
  {
    key: 'seats',
    label: ['Seats taken', 'المقاعد المشغولة'],
    sort: true,
    width: 190,
    cell: (row) => <SeatBar taken={(row.seats ?? 0) - (row.free_seats ?? 0)} quota={row.seats ?? 0} />,
  },
  { key: 'free_seats', label: F.free_seats.label, field: F.free_seats, sort: true, hidden: true },
  { key: 'registered', label: F.registered.label, field: F.registered, sort: true },
  { key: 'requested', label: F.requested.label, field: F.requested, sort: true },
  { key: 'waiting', label: F.waiting.label, field: F.waiting, sort: true, hidden: true },
  { key: 'groups_count', label: F.groups_count.label, field: F.groups_count, sort: true },
  {
    key: 'unplaced',
    label: F.unplaced.label,
    sort: true,
    width: 110,
    align: 'end',
    hidden: true,
    cell: (row) =>
      row.unplaced ? (
        <Code className={css.warn}>{formatNumber(row.unplaced)}</Code>
      ) : (
        <span className={css.dim}>–</span>
      ),
  },
  {
    key: 'is_open',
    label: ['Registration', 'التسجيل'],
    sort: true,
    width: 110,
    cell: (row, show) => (
      <Status
        is={row.is_open ? 'open' : 'closed'}
        label={show.label(row.is_open ? ['Open', 'مفتوح'] : ['Closed', 'مغلق'])}
      />
    ),
  },
  { key: 'control_status', label: F.control_status.label, field: F.control_status, sort: true },
  { key: 'faculty_id', label: F.faculty_id.label, field: F.faculty_id, sort: true },
  { key: 'department_id', label: F.department_id.label, field: F.department_id, sort: true, hidden: true },
  { key: 'level', label: F.level.label, field: F.level, sort: true, hidden: true },
  { key: 'linked_offering_id', label: F.linked_offering_id.label, field: F.linked_offering_id, hidden: true },
]
/** The term, its files, and registration opened and closed for many at once. */
function useParts(): ListParts<OfferingRow> {
  const t = useT('offerings')
  const say = useLabel()
  const me = useMe()
  const { send } = useChange('/offerings')
  const [query] = useSearchParams()
  const [term, setTerm, rest] = useTermFilter()
  const open = async (ids: readonly number[], is_open: boolean) =>
    send(offeringCalls.updateStatus, { body: { ids: [...ids], is_open } })
  const toggle = async (row: OfferingRow) => {
    const to_ = !row.is_open
    const { failed } = await open([row.id], to_)
    if (failed.length) return notify.failed(failed)
    notify.undo(t(to_ ? 'opened' : 'closed', { name: row.course?.code ?? '' }), () => open([row.id], !to_))
  }
  const files = me.can('export_offering')
  const zip = () =>
    void withOverlay(
      download(reportCalls.all, {
        body: {
          ...(term !== null && { term_id: term }),
          filters: rest,
          search: query.get('search') ?? '',
          lang: paperLanguageOf(),
        },
      }),
    ).catch((error: unknown) => notify.error(error))
  const canOpen = me.can('edit_offering')
  return {
    actions: (row) =>
      row.abilities.includes('open') || row.refused?.open
        ? [
            {
              disabled: row.refused?.open && problemText(row.refused.open),
              key: 'open_close',
              label: t(row.is_open ? 'close_registration' : 'open_registration'),
              icon: row.is_open ? <IconLock size={15} /> : <IconLockOpen size={15} />,
              onSelect: () => void toggle(row).catch((error: unknown) => notify.error(error)),
            },
          ]
        : [],
    bulk: canOpen
      ? [
          {
            key: 'open',
            label: t('open_registration'),
            icon: <IconLockOpen size={14} />,
            run: (ids) => open(ids, true),
            undo: (ids) => open(ids, false),
          },
          {
            key: 'close',
            label: t('close_registration'),
            icon: <IconLock size={14} />,
            run: (ids) => open(ids, false),
            undo: (ids) => open(ids, true),
          },
        ]
      : undefined,
    main: me.can('add_offering')
      ? {
          key: 'add',
          label: say(offering.adding),
          icon: <IconPlus size={16} aria-hidden />,
          href: to('/offerings/add', undefined, { term }),
        }
      : null,
    menu: [
      ...(me.can('add_offering')
        ? [
            {
              key: 'plan',
              label: t('plan_title'),
              icon: <IconClipboardList size={15} />,
              href: to('/offerings/plan', undefined, { term }),
            },
          ]
        : []),
      ...(files
        ? [
            ...(term !== null
              ? [
                  {
                    key: 'term',
                    label: t('export_term'),
                    icon: <IconFileSpreadsheet size={15} />,
                    onSelect: () =>
                      void withOverlay(
                        download(reportCalls.excel, { params: { x: term }, query: { lang: paperLanguageOf() } }),
                      ).catch((error: unknown) => notify.error(error)),
                  },
                ]
              : []),
            { key: 'zip', label: t('export_zip'), icon: <IconFileZip size={15} />, onSelect: zip },
          ]
        : []),
    ],
    beside: <TermPicker current value={term} onChange={setTerm} />,
  }
}

const web = resourceWeb(offering, {
  list: {
    columns: () => COLUMNS as readonly Column[],
    filters,
    views: VIEWS,
    useParts,
    empty: {
      title: ['No course is offered in this term', 'لا توجد مقررات مطروحة في هذا الفصل'],
      text: [
        'Offer one course, or those of a whole study plan together.',
        'اطرح مقررًا واحدًا، أو مقررات خطة دراسية كاملة معًا.',
      ],
    },
  },
})

/** Offerings of a term: seats, status, what is missing. */
export default function Offerings() {
  return <ResourceList web={web} />
}
