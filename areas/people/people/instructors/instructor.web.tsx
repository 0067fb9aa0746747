import { accountActions } from '#kit/web/auth/account-actions.tsx'
import { needsFirstSteps } from '#kit/web/auth/needs-first-steps.ts'
import { PersonPhoto } from '#kit/web/detail/person-photo.tsx'
import { Name } from '#kit/web/feedback/index.ts'
import { label } from '#kit/web/i18n/index.ts'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { part } from '#kit/web/later.ts'
import { filled } from '#kit/web/router/load.tsx'
import {
  documentsOfPerson,
  officeHoursOfInstructor,
  papersOfWorker,
  projectsOfPerson,
  publicationsOfPerson,
  rightsOfPerson,
  signInOfPerson,
  teachingOfInstructor,
  thesesOfPerson,
  weekOfInstructor,
} from '../outlets.contract.ts'
import { ACADEMIC_TITLES, instructor } from './instructor.contract.ts'

const NamesOf = part(async () => (await import('../names/names.web.tsx')).NamesOf)
const DocumentsOf = filled(documentsOfPerson)
const PapersOf = filled(papersOfWorker)
const RightsOf = filled(rightsOfPerson)
const PublicationsOf = filled(publicationsOfPerson)
const ThesesOf = filled(thesesOfPerson)
const ProjectsOf = filled(projectsOfPerson)
const SignInOf = filled(signInOfPerson)
const FirstSteps = part(async () => (await import('#kit/web/auth/first-steps.tsx')).FirstSteps)

const titleOf = (title: string) => label(ACADEMIC_TITLES.find(({ value }) => value === title)?.label ?? [title, title])

export default resourceWeb(instructor, {
  detail: {
    Photo: ({ row }) => <PersonPhoto kind="instructor" person={row} />,
    figures: (row) => [
      ...(row.academic_title
        ? [{ label: instructor.fields.academic_title.label, value: titleOf(row.academic_title) }]
        : []),
      ...((row.department ?? row.faculty)
        ? [
            {
              label: (row.department ? instructor.fields.department_id : instructor.fields.faculty_id).label,
              value: <Name row={row.department ?? row.faculty} />,
            },
          ]
        : []),
      ...(row.office ? [{ label: instructor.fields.office_id.label, value: <Name row={row.office} /> }] : []),
    ],
    useActions: () => (row) => accountActions('instructor', row),
    panels: [
      {
        key: 'first',
        title: ['Next steps', 'الخطوات التالية'],
        tab: 'above',
        when: needsFirstSteps,
        Content: ({ row }) => <FirstSteps kind="instructor" row={row} />,
      },
      {
        key: 'name',
        title: ['Name in parts', 'الاسم بأجزائه'],
        Content: ({ row }) => <NamesOf kind="instructor" id={row.id} />,
      },
      {
        key: 'documents',
        title: ['Documents', 'المستندات'],
        permission: 'show_instructorDocument',
        when: (row) => row.abilities.includes('documents'),
        Content: ({ row }) => <DocumentsOf kind="instructor" id={row.id} />,
      },
      {
        key: 'office_hours',
        title: ['Office hours', 'الساعات المكتبية'],
        permission: 'access_officeHour',
        Content: filled(officeHoursOfInstructor),
      },
      { key: 'teaching', title: ['Teaching', 'التدريس'], Content: filled(teachingOfInstructor) },
      {
        key: 'timetable',
        title: ['Timetable', 'الجدول'],
        Content: filled(weekOfInstructor),
      },
      {
        key: 'publications',
        title: ['Publications', 'المنشورات'],
        permission: 'access_publication',
        when: (row) => row.account_id !== null,
        Content: ({ row }) => <PublicationsOf account={row.account_id!} />,
      },
      {
        key: 'theses',
        title: ['Theses', 'الرسائل'],
        permission: 'access_thesis',
        when: (row) => row.account_id !== null,
        Content: ({ row }) => <ThesesOf account={row.account_id!} />,
      },
      {
        key: 'projects',
        title: ['Projects', 'المشروعات'],
        permission: 'access_project',
        when: (row) => row.account_id !== null,
        Content: ({ row }) => <ProjectsOf account={row.account_id!} />,
      },
      {
        key: 'rights',
        title: ['Roles and rights', 'الأدوار والصلاحيات'],
        permission: 'user_access_users',
        Content: ({ row }) => <RightsOf account={row.account_id} />,
      },
      {
        key: 'papers',
        title: ['Papers', 'الوثائق'],
        permission: ['show_certificate', 'ask_certificate_as_staff'],
        Content: ({ row }) => <PapersOf account={row.account_id} />,
      },
      {
        key: 'sign_in',
        title: ['Sign-in', 'تسجيل الدخول'],
        permission: ['access_users', 'invite_person', 'block_person', 'user_access_users'],
        Content: ({ row }) => <SignInOf kind="instructor" row={row} />,
      },
    ],
  },
})
