import { Button } from '@mantine/core'
import { useState } from 'react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Facts } from '#kit/web/detail/parts.tsx'
import { Code, Empty, Failed, Name, act, notify } from '#kit/web/feedback/index.ts'
import { Form } from '#kit/web/form/form.tsx'
import { formatMoney, formatNumber, problemText, useT } from '#kit/web/i18n/index.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { StateBadge } from '#kit/web/workflow/index.ts'
import { reservationFlow, reservationSteps } from '../stays/stay.contract.ts'
import { STAY_PATHS } from '../stays/use-steps.web.ts'
import { wishFields, wishOf } from '../stays/wish-fields.web.ts'
import { Days, BedPlace, Mates } from '../stays/words.web.tsx'
import css from '../hotels.module.css'
import { ownBedCalls, type OwnStay } from './own.contract.ts'

/** A student's own reservations: where each stands, and asking for another. */
export default function OwnBed() {
  const t = useT('hotels')
  const { data, error, refetch } = useCall(ownBedCalls.ownBeds)
  const [asks, setAsks] = useState(false)
  const own = data?.data
  return (
    <Page
      title={t('my_bed')}
      subtitle={t('my_bed_text')}
      wide={false}
      action={own && !asks ? <Button onClick={() => setAsks(true)}>{t('ask')}</Button> : undefined}
    >
      {error && !own ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !own ? (
        <Bone height={320} />
      ) : (
        <Stack>
          {asks && <Ask offer={own} onDone={() => setAsks(false)} />}
          {own.stays.map((stay) => (
            <OwnCard key={stay.id} stay={stay} />
          ))}
          {!own.stays.length && !asks && <Empty title={t('no_stay')} text={t('no_stay_text')} />}
        </Stack>
      )}
    </Page>
  )
}

function Ask({ offer, onDone }: { offer: Parameters<typeof wishFields>[1]; onDone: () => void }) {
  const t = useT('hotels')
  const { send } = useChange(...STAY_PATHS)
  const [key] = useState(() => crypto.randomUUID())
  return (
    <Card title={t('ask')} text={t('ask_text')}>
      <Form
        fields={(typed) => wishFields(t, offer, typed)}
        values={{ unit: offer.terms.length ? 'term' : 'night', term_id: offer.terms[0]?.id ?? null }}
        always
        bar="dialog"
        submit={t('ask')}
        onCancel={onDone}
        onSave={(typed) => send(ownBedCalls.askForBed, { body: wishOf(typed, key) })}
        onSaved={() => {
          notify.done(t('asked'))
          onDone()
        }}
      />
    </Card>
  )
}

function OwnCard({ stay }: { stay: OwnStay }) {
  const t = useT('hotels')
  const { send } = useChange(...STAY_PATHS)
  const { invoice } = stay
  const cancel = () =>
    void act({
      ask: {
        title: t('cancel_question'),
        consequence: t('cancel_consequence'),
        action: t('cancel_stay'),
        danger: true,
      },
      go: () => send(reservationSteps.steps.cancel, { params: { id: stay.id }, body: { version: stay.version } }),
      done: () => t('cancelled'),
    })
  return (
    <Card title={<Code>{stay.code}</Code>} aside={<StateBadge flow={reservationFlow} state={stay.status} />}>
      <Stack gap={12}>
        <Facts
          items={[
            { label: t('days'), value: <Days from={stay.from_day} until={stay.until_day} /> },
            { label: t('bed'), value: <BedPlace row={stay} /> },
            { label: t('kind'), value: stay.kind ? <Name row={stay.kind} /> : t('any_kind') },
            ...(stay.place === null ? [] : [{ label: t('place'), value: formatNumber(stay.place) }]),
            ...(invoice
              ? [
                  {
                    label: t('invoice'),
                    value: (
                      <span>
                        <Link to={to('/payments/:id', { id: invoice.id })}>{invoice.number}</Link>
                        {invoice.open > 0 &&
                          ` · ${t('to_pay', { amount: formatMoney(invoice.open, invoice.currency) })}`}
                      </span>
                    ),
                  },
                ]
              : []),
          ]}
        />
        {stay.mates.length > 0 && <Mates mates={stay.mates} />}
        {stay.abilities.includes('cancel') && (
          <div className={css.actions}>
            <Button variant="default" color="red" onClick={cancel}>
              {t('cancel_stay')}
            </Button>
          </div>
        )}
        {stay.refused?.cancel && <p className={css.dim}>{problemText(stay.refused.cancel)}</p>}
      </Stack>
    </Card>
  )
}
