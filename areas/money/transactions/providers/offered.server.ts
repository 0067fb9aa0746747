/** Which providers the university offers: what is set for the installation, and switched on by the university. */
import { sql } from 'kysely'
import type { Db, Tx } from '#db/connect.ts'
import type { Services } from '#kit/server/base/context.ts'
import type { ProviderName } from './events.rules.ts'
import { fawryProvider } from './fawry.server.ts'
import { paymobProvider } from './paymob.server.ts'
import type { PaymentProvider } from './provider.server.ts'

/** A provider keeps a token of its own: one for each configuration. */
const made = new WeakMap<object, PaymentProvider>()
const once = <S extends object>(settings: S | null, make: (settings: S) => PaymentProvider): PaymentProvider[] => {
  if (!settings) return []
  const known = made.get(settings) ?? make(settings)
  made.set(settings, known)
  return [known]
}

/** The providers that the installation is set up with. */
export const providersOf = ({ config: { payments } }: Pick<Services, 'config'>): PaymentProvider[] => [
  ...once(payments.fawry, fawryProvider),
  ...once(payments.paymob, paymobProvider),
]
export const providerNamed = (services: Pick<Services, 'config'>, name: string): PaymentProvider | undefined =>
  providersOf(services).find((one) => one.name === name)

const SETTING: Readonly<Record<ProviderName, string>> = { fawry: 'pay_with_fawry', paymob: 'pay_with_credit_card' }

/** Those of them that payers are offered; with none, one pays at the cashier's and by slip. */
export async function offered(services: Pick<Services, 'config'>, db: Db | Tx): Promise<PaymentProvider[]> {
  const all = providersOf(services)
  if (!all.length) return []
  const { rows } = await sql<{ key: string }>`select key from settings
    where key = any(${Object.values(SETTING)}) and value = '"true"'::jsonb and removed_at is null`.execute(db)
  const on = new Set(rows.map(({ key }) => key))
  return all.filter(({ name }) => on.has(SETTING[name]))
}
