import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { f } from '#kit/contract/field.ts'
import { accountActions } from '#kit/web/auth/account-actions.tsx'
import { needsFirstSteps } from '#kit/web/auth/needs-first-steps.ts'
import { may } from '#kit/web/auth/index.ts'
import { PersonPhoto } from '#kit/web/detail/person-photo.tsx'
import { formatList, nameOf, useT } from '#kit/web/i18n/index.ts'
import type { Named } from '#kit/web/i18n/index.ts'
import { part } from '#kit/web/later.ts'
import { rightsOfPerson, signInOfPerson } from '#areas/people/people/outlets.contract.ts'
import { filled } from '#kit/web/router/load.tsx'
import { Link, to } from '#kit/web/router/index.ts'
import css from '../rights/rights.module.css'
import { RightsNamed } from './rights-named.web.tsx'
import { user } from './user.contract.ts'

const { type, account_state, is_super_admin, last_login_at } = user.fields
const shown = { type, account_state, is_super_admin, last_login_at }

type Scoped = Named & { readonly scope: Named | null }
const rights = ({ value }: { value: unknown }) => <RightsNamed rights={(value ?? []) as (Scoped & { key: string })[]} />

const FirstSteps = part(async () => (await import('#kit/web/auth/first-steps.tsx')).FirstSteps)
const RightsOf = filled(rightsOfPerson)
const SignInOf = filled(signInOfPerson)
const NamesOf = part(async () => (await import('#areas/people/people/names/names.web.tsx')).NamesOf)

/** Who studies or teaches is added by the record, from which the account is made: where that is done. */
function Kinds() {
  const t = useT('access-and-people')
  const others = [
    ['add_instructor', '/instructors/show/add', t('kind_instructor')],
    ['add_students', '/students/show/add', t('kind_student')],
  ] as const
  return (
    <nav className={css.kinds} aria-label={t('kind_of_person')}>
      <span aria-current="page">{t('kind_employee')}</span>
      {others.map(
        ([right, path, name]) =>
          may(right) && (
            <Link key={path} to={to(path)}>
              {name}
            </Link>
          ),
      )}
    </nav>
  )
}

export default resourceWeb(user, {
  form: { Above: Kinds },
  cells: {
    roles: ({ value, show }) => (
      <bdi>
        {formatList(
          ((value ?? []) as Scoped[]).map((role) =>
            role.scope ? `${nameOf(role, show.lang)} (${nameOf(role.scope, show.lang)})` : nameOf(role, show.lang),
          ),
          show.lang,
        ) || '–'}
      </bdi>
    ),
    role_permissions: rights,
    direct_permissions: rights,
    access_entries: rights,
    user_access_permissions: rights,
  },
  list: {
    filters: {
      ...shown,
      role_id: f.lookup(['Role', 'الدور'], 'role', { readers: ['access_role'] }),
      is_blocked: f.flag(['Blocked', 'موقوف']),
      never_signed_in: f.flag(['Never signed in', 'لم يسجل الدخول قط']),
      no_second_factor: f.lookup(['Role, without a second factor', 'دور دون خطوة تحقق ثانية'], 'role', {
        readers: ['require_second_factor'],
      }),
      tag_id: f.lookup(['Tag', 'الوسم'], 'tag', { readers: ['access_tag'] }),
    },
  },
  detail: {
    Photo: ({ row }) => <PersonPhoto kind="user" person={row} />,
    panels: [
      {
        key: 'first',
        title: ['Next steps', 'الخطوات التالية'],
        tab: 'above',
        when: (row) => row.type !== 3 && needsFirstSteps(row),
        Content: ({ row }) => <FirstSteps kind="user" row={row} />,
      },
      {
        key: 'rights',
        title: ['Roles and rights', 'الأدوار والصلاحيات'],
        permission: 'user_access_users',
        when: (row) => row.type === 1 || row.type === 2,
        Content: ({ row }) => <RightsOf account={row.id} />,
      },
      {
        key: 'sign_in',
        title: ['Sign-in', 'تسجيل الدخول'],
        permission: ['access_users', 'invite_person', 'block_person', 'user_access_users'],
        Content: ({ row }) => <SignInOf kind="user" row={row} />,
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
