import { demoLookup } from '#demo/part.ts'
import { sponsor } from './sponsor.contract.ts'

const USUAL = { currency: 'EGP', due_days: 30, spread: 'oldest', language: 'ar', is_active: true }
/** A company that pays for many, a ministry that withdraws in mid-term, and an embassy that pays in dollars. */
export default demoLookup(sponsor, [
  [
    'NILE-01',
    'Nile Energy',
    'شركة طاقة النيل',
    {
      ...USUAL,
      kind: 'company',
      country_id: 64,
      email: 'education@nile-energy.example',
      address: '12 Corniche Street, Cairo',
      tax_number: '214-550-901',
    },
  ],
  [
    'MIN-02',
    'Ministry of Youth',
    'وزارة الشباب',
    { ...USUAL, kind: 'ministry', country_id: 64, email: 'grants@youth.example', due_days: 60, spread: 'share' },
  ],
  [
    'EMB-03',
    'Embassy of Kuwait',
    'سفارة الكويت',
    { ...USUAL, kind: 'embassy', currency: 'USD', language: 'en', email: 'culture@embassy.example' },
  ],
])
