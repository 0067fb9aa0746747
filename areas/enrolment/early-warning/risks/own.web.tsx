import { useCall } from '#kit/web/api/index.ts'
import { Facts } from '#kit/web/detail/parts.tsx'
import { Empty, Failed, Name } from '#kit/web/feedback/index.ts'
import { formatDate, formatInstant, useLabel, useT } from '#kit/web/i18n/index.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import type { ResponseOf } from '#kit/contract/call.ts'
import { CONTACT_WAYS, riskCalls } from './risk.contract.ts'
import { RiskReasons } from './parts.web.tsx'
import css from '../early-warning.module.css'

type Own = ResponseOf<typeof riskCalls.own>['data']

/** What stands out of the own term, who can help, and how it is counted. */
export default function OwnEarlyWarning() {
  const t = useT('early-warning')
  const { data, error, refetch } = useCall(riskCalls.own)
  const own = data?.data
  return (
    <Page title={t('own')}>
      {error && !own ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !own ? (
        <Bone height={260} />
      ) : own.on ? (
        <Stack>
          <Standing own={own} />
          <Help own={own} />
        </Stack>
      ) : (
        <Empty title={t('off')} text={t('own_off_text')} />
      )}
    </Page>
  )
}

function Standing({ own }: { readonly own: Own }) {
  const t = useT('early-warning')
  return (
    <Card
      title={t(own.reasons.length ? 'own_standing' : 'own_nothing')}
      text={t(own.reasons.length ? 'own_standing_text' : 'own_nothing_text')}
    >
      <Stack>
        {own.reasons.length > 0 && <RiskReasons reasons={own.reasons} />}
        {own.counted_at && <span className={css.dim}>{t('counted', { at: formatInstant(own.counted_at) })}</span>}
      </Stack>
    </Card>
  )
}

function Help({ own }: { readonly own: Own }) {
  const t = useT('early-warning')
  const say = useLabel()
  return (
    <Card title={t('help')} text={t('help_text')}>
      <Stack>
        <Facts
          items={[
            { label: t('advisor'), value: own.advisor ? <Name row={own.advisor} /> : t('no_advisor') },
            ...(own.contacts.length
              ? [
                  {
                    label: t('spoken'),
                    value: own.contacts.map((one) => (
                      <div key={`${one.on_date} ${one.way}`}>
                        {formatDate(one.on_date)} · {say(CONTACT_WAYS.find(({ value }) => value === one.way)!.label)}
                      </div>
                    )),
                  },
                ]
              : []),
          ]}
        />
        <div className={css.head}>
          <Link to={to('/my_attendance')}>{t('to_attendance')}</Link>
          <Link to={to('/offering/preflight')}>{t('to_preflight')}</Link>
        </div>
        <p className={`${css.text} ${css.dim}`}>{t('how')}</p>
      </Stack>
    </Card>
  )
}
