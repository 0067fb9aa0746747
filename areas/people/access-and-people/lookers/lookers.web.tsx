import { f } from '#kit/contract/field.ts'
import { Name, Status } from '#kit/web/feedback/index.ts'
import { formatInstant, formatList, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { ListScreen } from '#kit/web/list/list-screen.tsx'
import { LOOKS } from './lookers.contract.ts'
import { lookerCalls } from './lookers.contract.ts'
import type { Look } from './lookers.contract.ts'

/** Who opened the reader's record, took a file out of it, or was logged in as the reader. */
export default function Lookers() {
  const t = useT('access-and-people')
  const l = useLanguage()
  const say = useLabel()
  return (
    <ListScreen<Look & { readonly [key: string]: unknown }>
      call={lookerCalls.lookers as never}
      title={['Who looked at my record', 'من اطّلع على سجلي']}
      subtitle={t('lookers_text')}
      searchable={false}
      order={['at', 'desc']}
      perPage={25}
      filters={{ kind: f.choice(['What', 'ماذا'], LOOKS) }}
      rowName={(row) => (row.who ? nameOf(row.who, l) : (row.guest ?? t('looker_gone')))}
      columns={[
        { key: 'at', label: ['When', 'الوقت'], sort: true, width: 190, cell: (row) => formatInstant(row.at, l) },
        {
          key: 'who',
          label: ['Who', 'من'],
          width: 260,
          cell: (row) => (
            <span>
              {row.who ? <Name row={row.who} /> : row.guest ? <bdi>{row.guest}</bdi> : t('looker_gone')}
              {row.as && row.kind !== 'log_in_as' && ` (${t('looker_as', { name: nameOf(row.as, l) })})`}
            </span>
          ),
        },
        {
          key: 'roles',
          label: ['Roles', 'الأدوار'],
          width: 240,
          cell: (row) => (
            <bdi>
              {row.guest
                ? t('looker_guest')
                : formatList(
                    row.roles.map((role) => nameOf(role, l)),
                    l,
                  ) || '–'}
            </bdi>
          ),
        },
        {
          key: 'kind',
          label: ['What', 'ماذا'],
          width: 200,
          cell: (row) => {
            const look = LOOKS.find(({ value }) => value === row.kind)!
            return <Status tone={look.tone} label={say(look.label)} />
          },
        },
        { key: 'file', label: ['File', 'الملف'], width: 220, cell: (row) => (row.file ? <bdi>{row.file}</bdi> : '–') },
      ]}
      empty={{ title: t('lookers_none'), text: t('lookers_none_text') }}
    />
  )
}
