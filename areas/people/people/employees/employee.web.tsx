import { dayOf } from '#kit/contract/day.ts'
import { f } from '#kit/contract/field.ts'
import type { Row } from '#kit/contract/index.ts'
import { accountActions } from '#kit/web/auth/account-actions.tsx'
import { needsFirstSteps } from '#kit/web/auth/needs-first-steps.ts'
import { PersonPhoto } from '#kit/web/detail/person-photo.tsx'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { part } from '#kit/web/later.ts'
import { Name, Status } from '#kit/web/feedback/index.ts'
import { formatDate, formatList, formatNumber, label, nameOf } from '#kit/web/i18n/index.ts'
import type { Named } from '#kit/web/i18n/index.ts'
import { filled } from '#kit/web/router/load.tsx'
import {
  documentsOfPerson,
  papersOfWorker,
  projectsOfPerson,
  publicationsOfPerson,
  rightsOfPerson,
  signInOfPerson,
  thesesOfPerson,
} from '../outlets.contract.ts'
import { contractState } from './employee.rules.ts'
import { CONTRACT_FILTER, CONTRACT_READERS, employee } from './employee.contract.ts'

type Employee = Row<typeof employee>
const NamesOf = part(async () => (await import('../names/names.web.tsx')).NamesOf)
const DocumentsOf = filled(documentsOfPerson)
const PapersOf = filled(papersOfWorker)
const RightsOf = filled(rightsOfPerson)
const PublicationsOf = filled(publicationsOfPerson)
const ThesesOf = filled(thesesOfPerson)
const ProjectsOf = filled(projectsOfPerson)
const SignInOf = filled(signInOfPerson)
const FirstSteps = part(async () => (await import('#kit/web/auth/first-steps.tsx')).FirstSteps)
const Team = part(async () => (await import('./team.web.tsx')).Team)

const { account_state } = employee.fields
const { job_title_id, faculty_id, department_id, manager_id, contract_ends_on, blocked_at, last_login_at } =
  employee.fields
const contract = f.choice(['Contract', 'العقد'], CONTRACT_FILTER, {
  readers: CONTRACT_READERS.filter((reader) => reader !== 'self'),
})
const filtered = (filters: unknown): string => `filters=${encodeURIComponent(JSON.stringify(filters))}`

/** Until when the last contract is, and that it ends soon or has ended. */
function ContractUntil({ row }: { row: Employee }) {
  const ends = row.contract_ends_on
  if (!ends) return row.contracts?.length ? label(['No end', 'غير محدد المدة']) : '–'
  const state = contractState(ends, dayOf())
  return (
    <>
      {formatDate(ends)} {state === 'ended' && <Status is="late" label={label(['Has ended', 'انتهى'])} />}
      {state === 'ends_soon' && <Status is="waits" label={label(['Ends soon', 'ينتهي قريبًا'])} />}
    </>
  )
}

export default resourceWeb(employee, {
  cells: {
    roles: ({ value, show }) => (
      <bdi>
        {formatList(
          (value as Named[]).map((role) => nameOf(role, show.lang)),
          show.lang,
        ) || '–'}
      </bdi>
    ),
  },
  list: {
    filters: {
      job_title_id,
      faculty_id,
      department_id,
      manager_id,
      contract,
      contract_ends_on,
      account_state,
      blocked_at,
      last_login_at,
    },
    views: [
      {
        key: 'ends_soon',
        label: ['Contract ends soon', 'عقود تنتهي قريبًا'],
        of: 'contracts',
        query: `${filtered({ contract: ['ends_soon'] })}&order=contract_ends_on`,
      },
      {
        key: 'ended',
        label: ['Contract ended', 'عقود انتهت'],
        of: 'contracts',
        query: `${filtered({ contract: ['ended'] })}&order=contract_ends_on`,
      },
    ],
  },
  detail: {
    Photo: ({ row }) => <PersonPhoto kind="user" person={row} />,
    figures: (row) => [
      ...(row.job_title ? [{ label: employee.fields.job_title_id.label, value: <Name row={row.job_title} /> }] : []),
      ...((row.department ?? row.faculty)
        ? [
            {
              label: (row.department ? employee.fields.department_id : employee.fields.faculty_id).label,
              value: <Name row={row.department ?? row.faculty} />,
            },
          ]
        : []),
      ...(row.contracts ? [{ label: contract_ends_on.label, value: <ContractUntil row={row} /> }] : []),
      ...(row.team ? [{ label: employee.fields.team.label, value: formatNumber(row.team) }] : []),
    ],
    panels: [
      {
        key: 'first',
        title: ['Next steps', 'الخطوات التالية'],
        tab: 'above',
        when: needsFirstSteps,
        Content: ({ row }) => <FirstSteps kind="user" row={row} />,
      },
      {
        key: 'rights',
        title: ['Roles and rights', 'الأدوار والصلاحيات'],
        permission: 'user_access_users',
        Content: ({ row }) => <RightsOf account={row.removed ? null : row.id} />,
      },
      {
        key: 'papers',
        title: ['Papers', 'الوثائق'],
        permission: ['show_certificate', 'ask_certificate_as_staff'],
        Content: ({ row }) => <PapersOf account={row.removed ? null : row.id} />,
      },
      {
        key: 'publications',
        title: ['Publications', 'المنشورات'],
        permission: 'access_publication',
        when: (row) => !row.removed,
        Content: ({ row }) => <PublicationsOf account={row.id} />,
      },
      {
        key: 'theses',
        title: ['Theses', 'الرسائل'],
        permission: 'access_thesis',
        when: (row) => !row.removed,
        Content: ({ row }) => <ThesesOf account={row.id} />,
      },
      {
        key: 'projects',
        title: ['Projects', 'المشروعات'],
        permission: 'access_project',
        when: (row) => !row.removed,
        Content: ({ row }) => <ProjectsOf account={row.id} />,
      },
      {
        key: 'sign_in',
        title: ['Sign-in', 'تسجيل الدخول'],
        permission: ['access_users', 'invite_person', 'block_person', 'user_access_users'],
        Content: ({ row }) => <SignInOf kind="user" row={row} />,
      },
      {
        key: 'team',
        title: ['Team', 'المرؤوسون'],
        permission: 'access_employee',
        when: (row) => Boolean(row.team),
        Content: ({ row }) => <Team id={row.id} />,
      },
      {
        key: 'documents',
        title: ['Documents', 'المستندات'],
        permission: 'show_employeeDocument',
        when: (row) => row.abilities.includes('documents'),
        Content: ({ row }) => <DocumentsOf kind="employee" id={row.id} />,
      },
      {
        key: 'name',
        title: ['Name in parts', 'الاسم بأجزائه'],
        Content: ({ row }) => <NamesOf kind="user" id={row.id} />,
      },
    ],
    useActions: () => (row) => accountActions('user', row),
  },
})
