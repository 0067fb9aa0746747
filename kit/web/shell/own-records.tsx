import { Menu } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import type { OwnRecord } from '../auth/calls.ts'
import { chooseRecord } from '../auth/records.ts'
import { notify } from '../feedback/notify.tsx'
import { useT } from '../i18n/catalogue.ts'
import { nameOf } from '../i18n/format.ts'
import { useLanguage } from '../i18n/language.ts'
import css from './shell.module.css'

/** The programs in which the person studies, at the account: one is chosen. */
export default function OwnRecords({ records }: { records: readonly OwnRecord[] }) {
  const t = useT('kit')
  const l = useLanguage()
  return (
    <>
      <Menu.Divider />
      <Menu.Label>{t('my_records')}</Menu.Label>
      {records.map((record) => (
        <Menu.Item
          key={record.id}
          disabled={record.blocked}
          aria-current={record.chosen || undefined}
          rightSection={record.chosen ? <IconCheck size={16} aria-hidden /> : null}
          onClick={() => {
            if (!record.chosen) chooseRecord(record.id).catch((error: unknown) => notify.error(error))
          }}
        >
          <bdi>{nameOf(record.program, l)}</bdi> <bdi className={css.accountMail}>{record.code}</bdi>
        </Menu.Item>
      ))}
    </>
  )
}
