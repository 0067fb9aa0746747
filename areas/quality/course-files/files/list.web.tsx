import { Modal } from '@mantine/core'
import { IconFileSpreadsheet, IconFileZip, IconFolderPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { f } from '#kit/contract/index.ts'
import type { Row } from '#kit/contract/resource.ts'
import { download, useCall, useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Chart } from '#kit/web/charts/chart.tsx'
import { act, notify } from '#kit/web/feedback/index.ts'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { asLabel } from '#kit/web/form/as-label.ts'
import { Form } from '#kit/web/form/form.tsx'
import { formatList, nameOf, useLanguage, useT, type Named } from '#kit/web/i18n/index.ts'
import { to } from '#kit/web/router/index.ts'
import { partDialog } from '#kit/web/later.ts'
import { useSteps } from '#kit/web/workflow/index.ts'
import { useListTerm } from '#areas/study/terms/terms/term-filter.web.tsx'
import { courseFile, courseFileCalls, courseFileFlow, courseFileSteps } from './course-file.contract.ts'

const PackDialog = partDialog(async () => (await import('../pack/pack.web.tsx')).PackDialog)
type CourseFileRow = Row<typeof courseFile> & { offering: { name: string; name_local: string } | null }
/** Those of the teacher's, and of whoever decides: the others are one click away. */
const view = (status: readonly string[]) => `filters=${encodeURIComponent(JSON.stringify({ status, term_id: 0 }))}`

/** Course files of a term: how they stand by faculty, and each of them. */
export default resourceWeb(courseFile, {
  list: {
    columns: (generic) =>
      generic.map((column) =>
        column.key === 'instructors'
          ? { ...column, cell: (row) => formatList((row.instructors as Named[]).map((one) => nameOf(one))) }
          : column,
      ),
    useParts: () => {
      const t = useT('course-files')
      const me = useMe()
      const lang = useLanguage()
      const term = useListTerm()
      const [opening, setOpening] = useState(false)
      const [packing, setPacking] = useState(false)
      const steps = useSteps(courseFileFlow as never, courseFileSteps, {
        name: (row: CourseFileRow) => nameOf(row.offering),
        refreshes: ['/courseFile', '/users/work'],
      })
      const of = (term.fixed.term_id as readonly number[] | undefined)?.[0]
      return {
        ...term,
        actions: steps.actions as never,
        bulk: steps.bulk,
        main: me.can('add_courseFile')
          ? {
              key: 'open',
              label: t('open_term'),
              icon: <IconFolderPlus size={16} aria-hidden />,
              onSelect: () => setOpening(true),
            }
          : null,
        menu: me.can('export_courseFile')
          ? [
              {
                key: 'sheet',
                label: t('sheet'),
                icon: <IconFileSpreadsheet size={16} aria-hidden />,
                onSelect: () =>
                  void act({
                    go: () =>
                      download(courseFileCalls.sheet, {
                        params: { lang: lang === 'ar' ? 'ar' : 'en' },
                        query: of ? { term_id: of } : {},
                      }),
                    done: () => null,
                  }),
              },
              {
                key: 'pack',
                label: t('pack'),
                icon: <IconFileZip size={16} aria-hidden />,
                onSelect: () => setPacking(true),
              },
            ]
          : [],
        above: <Counts term={of} />,
        dialogs: (
          <>
            {opening && <OpenTerm term={of ?? null} onClose={() => setOpening(false)} />}
            {packing && <PackDialog onClose={() => setPacking(false)} />}
          </>
        ),
      }
    },
    rowHref: (row) => to('/courseFile/:id', { id: row.id }),
    rowName: (row) => nameOf((row as CourseFileRow).offering),
    views: [
      {
        key: 'open',
        label: ['To be handed in', 'مطلوب تسليمها'],
        query: view(['draft', 'not_accepted', 'not_approved']),
      },
      { key: 'decide', label: ['To be decided', 'تنتظر القرار'], query: view(['submitted', 'accepted']) },
    ],
    empty: {
      title: ['No course files', 'لا توجد ملفات مقررات'],
      text: [
        'Quality staff begin the files of a term, with the day on which they are due.',
        'يبدأ مسؤولو الجودة ملفات الفصل الدراسي مع تحديد موعد التسليم.',
      ],
    },
  },
})

/** How many stand where, by faculty; nothing where there is one faculty of a few. */
function Counts({ term }: { term: number | undefined }) {
  const t = useT('course-files')
  const { data } = useCall(courseFileCalls.count, { query: term ? { term_id: term } : {} })
  const rows = data?.data.map(({ faculty, ...of }) => ({ ...of, name: faculty ? nameOf(faculty) : t('no_faculty') }))
  if (rows && rows.length < 2) return null
  return (
    <Chart
      kind="bar"
      horizontal
      stacked
      title={t('by_faculty')}
      data={rows}
      series={courseFileFlow.states.map(({ value, label, tone }) => ({ key: value, label, tone }))}
      pointLabel={['Faculty', 'الكلية']}
    />
  )
}

function OpenTerm({ term, onClose }: { term: number | null; onClose: () => void }) {
  const t = useT('course-files')
  const { send } = useChange('/courseFile', '/users/work')
  return (
    <Modal opened onClose={onClose} title={t('open_term')}>
      <p>{t('open_text')}</p>
      <Form
        bar="dialog"
        submit={t('open_term')}
        onCancel={onClose}
        fields={{
          term_id: f.lookup(['Term', 'الفصل الدراسي'], 'term', { required: true }),
          faculty_id: f.lookup(['Faculty', 'الكلية'], 'faculty', { help: ['Empty: all', 'فارغ: الكل'] }),
          due_on: f.date(asLabel(t('due_on')), { required: true }),
        }}
        values={term === null ? null : { term_id: term }}
        always
        onSave={({ term_id, faculty_id, due_on }) =>
          send(courseFileCalls.open, {
            body: {
              term_id: Number(term_id),
              faculty_id: faculty_id ? Number(faculty_id) : null,
              due_on: String(due_on),
            },
          })
        }
        onSaved={({ data }) => {
          notify.done(t('opened', { added: data.added, changed: data.changed }))
          onClose()
        }}
      />
    </Modal>
  )
}
