import { Button, Modal } from '@mantine/core'
import { IconBuildingBank } from '@tabler/icons-react'
import { useState } from 'react'
import { f } from '#kit/contract/index.ts'
import { useChange } from '#kit/web/api/index.ts'
import { Facts } from '#kit/web/detail/parts.tsx'
import { notify, Status } from '#kit/web/feedback/index.ts'
import { asLabel } from '#kit/web/form/as-label.ts'
import { Form } from '#kit/web/form/form.tsx'
import { formatDate, useT } from '#kit/web/i18n/index.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { Card } from '#kit/web/shell/card.tsx'
import { repositoryCalls } from './repository.contract.ts'
import type { WholeThesis } from '../thesis/whole.contract.ts'
import css from '../theses.module.css'

/** The thesis in the repository: deposited, closed until a day, or withdrawn. */
export function Deposit({ id, whole: { deposit, may } }: { id: number; whole: WholeThesis }) {
  const t = useT('theses')
  const { send } = useChange('/theses')
  const [open, setOpen] = useState<'deposit' | 'withdraw' | null>(null)
  const close = () => setOpen(null)
  return (
    <Card
      title={t('repository')}
      text={t('repository_text')}
      aside={
        may.deposit &&
        (deposit ? (
          !deposit.withdrawn_at && (
            <Button variant="subtle" color="red" onClick={() => setOpen('withdraw')}>
              {t('withdraw')}
            </Button>
          )
        ) : (
          <Button leftSection={<IconBuildingBank size={16} aria-hidden />} onClick={() => setOpen('deposit')}>
            {t('deposit')}
          </Button>
        ))
      }
    >
      {deposit ? (
        <Facts
          items={[
            {
              label: t('address'),
              value: (
                <Link
                  to={to('/repository/:handle', { handle: deposit.handle })}
                >{`/repository/${deposit.handle}`}</Link>
              ),
            },
            { label: t('licence'), value: LICENCE[deposit.licence] ?? t('licence_reserved') },
            ...(deposit.embargo_until ? [{ label: t('embargo_until'), value: formatDate(deposit.embargo_until) }] : []),
            ...(deposit.withdrawn_at
              ? [{ label: t('withdrawn'), value: <Status is="failed" label={deposit.withdrawn_reason ?? ''} /> }]
              : []),
          ]}
        />
      ) : (
        <p className={css.text}>{t('not_deposited')}</p>
      )}
      {open && (
        <Modal opened onClose={close} title={t(open)}>
          <p className={css.lead}>{t(`${open}_text`)}</p>
          <Form
            bar="dialog"
            submit={t(open)}
            onCancel={close}
            always
            fields={
              open === 'deposit'
                ? {
                    licence: f.choice(
                      asLabel(t('licence')),
                      Object.entries(LICENCE).map(([value, name]) => ({
                        value,
                        label: asLabel(name ?? t('licence_reserved')),
                      })),
                      { required: true },
                    ),
                    embargo_until: f.date(asLabel(t('embargo_until')), { help: asLabel(t('embargo_help')) }),
                  }
                : { reason: f.longText(asLabel(t('why')), { required: true, max: 1000 }) }
            }
            values={{ licence: 'reserved' }}
            onSave={(given) =>
              open === 'deposit'
                ? send(repositoryCalls.deposit, { params: { id }, body: given as never })
                : send(repositoryCalls.withdraw, {
                    params: { id },
                    body: { reason: (given as { reason: string }).reason },
                  })
            }
            onSaved={() => {
              notify.done(t('kept'))
              close()
            }}
          />
        </Modal>
      )}
    </Card>
  )
}
/** What Creative Commons calls its licences, in every language. */
const LICENCE: Readonly<Record<string, string | null>> = {
  reserved: null,
  'cc-by': 'CC BY 4.0',
  'cc-by-nc': 'CC BY-NC 4.0',
  'cc-by-nc-nd': 'CC BY-NC-ND 4.0',
}
