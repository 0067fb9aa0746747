import { IconPlus } from '@tabler/icons-react'
import { may } from '#kit/web/auth/index.ts'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { to } from '#kit/web/router/index.ts'
import { externalPaper } from './external.contract.ts'

/** Whose paper it is, in the reader's language. */
function Person({ of }: { readonly of: { person: string | null; person_local: string | null } }) {
  return <bdi>{nameOf({ name: of.person, name_local: of.person_local }, useLanguage())}</bdi>
}

/** Papers from elsewhere: registered here, and opened to be checked. */
export default resourceWeb(externalPaper, {
  list: {
    useParts: () => {
      const t = useT('certificates')
      return {
        main: may('edit_externalPaper')
          ? {
              key: 'add',
              label: t('external_register'),
              icon: <IconPlus size={16} aria-hidden />,
              href: '/certificates/external/add',
            }
          : null,
      }
    },
    rowHref: (row) => to('/certificates/external/:id', { id: row.id }),
    rowName: (row) => row.person ?? '',
  },
  cells: { person: ({ row }) => <Person of={row as never} /> },
})
