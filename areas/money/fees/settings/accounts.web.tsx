import { ActionIcon, Button, Select } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useChange } from '#kit/web/api/index.ts'
import { Dialog } from '#kit/web/feedback/dialogs.tsx'
import { Code, Name, Problems, act, notify } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Card, Stack } from '#kit/web/shell/card.tsx'
import type { Currency } from '../pricing.rules.ts'
import shared from '../../money.module.css'
import css from '../fees.module.css'
import { useLookups, useOptions, type PartProps } from './parts.web.tsx'
import { settingsCalls, type AccountShown } from './settings.contract.ts'

/** Where a type is paid into, and to which income it is booked. */
export function Accounts({ year, type, settings }: PartProps) {
  const t = useT('fees')
  const lang = useLanguage()
  const { send } = useChange('/years')
  const [adding, setAdding] = useState(false)
  const may = settings?.may_edit ?? false
  const income = settings?.accounts.find((account) => account.income)?.income
  const remove = (row: AccountShown) =>
    void act({
      ask: { title: t('remove_account'), consequence: nameOf(row.bank, lang), action: t('remove'), danger: true },
      go: () =>
        send(settingsCalls.removeAccount, {
          params: { yearId: year, id: row.id },
          body: { version: settings!.version },
        }),
      done: () => t('saved_version'),
    })
  return (
    <Card
      title={t('accounts')}
      text={
        income ? (
          <span>
            {t('booked_to')} <Code>{income.code}</Code> <Name row={income} />
          </span>
        ) : (
          t('accounts_text')
        )
      }
      aside={
        may && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => setAdding(true)}
          >
            {t('add_account')}
          </Button>
        )
      }
    >
      {settings && !settings.accounts.length && <p className={`${css.text} ${shared.dim}`}>{t('no_accounts')}</p>}
      <ul className={shared.list}>
        {settings?.accounts.map((row) => (
          <li key={row.id} className={css.line}>
            <span className={css.of}>
              <span>
                <Name row={row.bank} />
              </span>
              <span>
                <Code>{row.bank.code}</Code>
              </span>
              <span>
                <Code>{row.currency}</Code>
              </span>
            </span>
            {may && (
              <ActionIcon variant="subtle" color="gray" aria-label={t('remove')} onClick={() => remove(row)}>
                <IconTrash size={16} aria-hidden />
              </ActionIcon>
            )}
          </li>
        ))}
      </ul>
      {adding && settings && (
        <AddAccount year={year} type={type} settings={settings} onClose={() => setAdding(false)} />
      )}
    </Card>
  )
}

function AddAccount({ year, type, settings, onClose }: PartProps & { onClose: () => void }) {
  const t = useT('fees')
  const say = useLabel()
  const options = useOptions()
  const banks = useLookups()?.banks
  const { busy, problem, go, send } = useChange('/years')
  const [bank, setBank] = useState<string | null>(null)
  const save = async () => {
    const found = banks!.find((one) => String(one.id) === bank)!
    const body = { type, currency: found.currency as Currency, bank_id: found.id, version: settings!.version }
    if (!(await go(() => send(settingsCalls.addAccount, { params: { yearId: year }, body })))) return
    notify.done(t('saved_version'))
    onClose()
  }
  return (
    <Dialog opened onClose={onClose} title={t('add_account')} closeButtonProps={{ 'aria-label': t('close') }}>
      <Stack>
        <Select
          label={say(['Account at a bank', 'حساب بنكي'])}
          data={options(banks).map((one, i) => ({ ...one, label: `${one.label} · ${banks![i]!.currency}` }))}
          value={bank}
          onChange={setBank}
        />
        {problem !== null && <Problems error={problem} />}
        <div className={css.buttons}>
          <Submit
            onCancel={onClose}
            missing={[bank === null && say(['Account at a bank', 'حساب بنكي'])]}
            loading={busy}
            onClick={() => void save()}
          >
            {t('save')}
          </Submit>
        </div>
      </Stack>
    </Dialog>
  )
}
