import { IconTableImport, IconTag, IconUsersGroup } from '@tabler/icons-react'
import { Suspense } from 'react'
import { useMe } from '#kit/web/auth/index.ts'
import { useLabel, useT } from '#kit/web/i18n/index.ts'
import { part } from '#kit/web/later.ts'
import { createStore } from '#kit/web/store.ts'
import { filled } from '#kit/web/router/load.tsx'
import { to } from '#kit/web/router/index.ts'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { Stack } from '#kit/web/shell/card.tsx'
import type { Row } from '#kit/contract/resource.ts'
import type { Ref } from '#kit/contract/schema.ts'
import { useSteps } from '#kit/web/workflow/index.ts'
import { examOfApplicant, papersOfApplicant } from '../outlets.contract.ts'
import { useApplicantTags } from '../tags/use-tags.web.tsx'
import { APPLICANT_LISTS, type ApplicantListKey } from '../lists/lists.contract.ts'
import { applicant } from './applicant.contract.ts'
import { applicantFlow, applicantSteps } from './flow.contract.ts'

const Review = part(async () => (await import('./review.web.tsx')).ReviewOfApplicant)
const TagsOfApplicant = part(async () => (await import('../tags/tags-dialog.web.tsx')).TagsOfApplicant)
const Exam = filled(examOfApplicant)
const Papers = filled(papersOfApplicant)
type Applicant = Row<typeof applicant>

const useApplicantSteps = () =>
  useSteps(applicantFlow, applicantSteps, {
    name: (row: Applicant) => row.code ?? '',
    refreshes: ['/applicants'],
  })

const LISTS = Object.keys(APPLICANT_LISTS) as ApplicantListKey[]
/** The applicant whose tags are being changed. */
const tagged = createStore<Applicant | null>(null)

const view = (filters: object) => `filters=${encodeURIComponent(JSON.stringify(filters))}`

export default resourceWeb(applicant, {
  list: {
    // The last figures of a number are those that tell applicants apart.
    columns: (generic) => generic.map((one) => (one.key === 'code' ? { ...one, width: 150 } : one)),
    useParts: () => {
      const t = useT('applicants')
      const me = useMe()
      const say = useLabel()
      const { actions, bulk } = useApplicantSteps()
      const tags = useApplicantTags()
      return {
        actions,
        bulk: [...bulk, ...(tags.bulk ?? [])],
        dialogs: tags.dialogs,
        menu: [
          ...(me.can('import_applicant')
            ? [
                {
                  key: 'import',
                  label: t('import'),
                  icon: <IconTableImport size={15} aria-hidden />,
                  href: to('/applicants/import'),
                },
              ]
            : []),
          {
            key: 'duplicates',
            label: t('duplicates'),
            icon: <IconUsersGroup size={15} aria-hidden />,
            href: to('/applicants/duplicates'),
          },
          ...LISTS.map((path) => ({ key: path, label: say(APPLICANT_LISTS[path].title), href: to(path) })),
        ],
      }
    },
    views: [
      {
        key: 'review',
        label: ['To be reviewed', 'للمراجعة'],
        query: view({ status: ['SUBMITTED', 'UPDATED'] }),
        of: 'status',
      },
      {
        key: 'seats',
        label: ['Wait for a seat', 'بانتظار مقعد'],
        query: view({ status: ['DISTRIBUATION_REQUIRED'] }),
        of: 'status',
      },
      { key: 'incomplete', label: ['Incomplete', 'غير مكتملة'], query: view({ status: ['INCOMPLETE'] }), of: 'status' },
    ],
    empty: {
      title: ['No applicants here', 'لا يوجد متقدمون هنا'],
      text: [
        'Whoever begins an application on the public page stands here at once.',
        'يظهر هنا كل من بدأ طلب تقديم على الصفحة العامة.',
      ],
    },
    rowName: (row) => row.name ?? row.code ?? '',
  },
  detail: {
    title: (row) => ({
      name: row.name ?? row.code ?? '',
      name_local: row.name_local ?? row.code ?? '',
      code: row.code,
    }),
    useMain: () => {
      const { next } = useApplicantSteps()
      const tagging = tagged.use()
      return {
        main: (row) => next(row),
        dialogs: tagging && (
          <Suspense fallback={null}>
            <TagsOfApplicant
              applicant={tagging}
              tags={(tagging.tags ?? []) as unknown as readonly Ref[]}
              onClose={() => tagged.set(null)}
            />
          </Suspense>
        ),
      }
    },
    useActions: () => {
      const t = useT('applicants')
      const me = useMe()
      const { actions } = useApplicantSteps()
      return (row) => [
        ...actions(row),
        ...(me.can('assign_applicant')
          ? [{ key: 'seat', label: t('seat'), href: to('/applicants/seat/:id', { id: row.id }) }]
          : []),
        ...(row.applicant_type === 3 && me.can('access_transfer')
          ? [
              {
                key: 'courses',
                label: t('courses_elsewhere'),
                href: to('/admission/transfer_students/equivalence/:user_id', { user_id: row.id }),
              },
            ]
          : []),
        ...(me.can('attach_tag') && row.tags
          ? [
              {
                key: 'tags',
                label: t('tags'),
                icon: <IconTag size={15} aria-hidden />,
                onSelect: () => tagged.set(row),
              },
            ]
          : []),
      ]
    },
    panels: [
      {
        key: 'review',
        title: ['Files and comments', 'الملفات والملاحظات'],
        first: true,
        Content: ({ row }) => (
          <Stack>
            <Review row={row} />
            <Papers row={row} />
          </Stack>
        ),
      },
      {
        key: 'exam',
        title: ['Exam and interview', 'الاختبار والمقابلة'],
        permission: 'access_entrance_exam',
        Content: ({ row }) => <Exam row={row} />,
      },
    ],
  },
})
