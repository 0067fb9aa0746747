/** Statements as banks write them, made up: for tests and figures. */

const money = (minor: number, ccy = 'EGP') => `<Amt Ccy="${ccy}">${(minor / 100).toFixed(2)}</Amt>`

interface Paid {
  readonly amount: number
  readonly reference: string
  readonly payer: string
  readonly text: string
}
/** A camt.053 of very many entries. */
export function largeCamt(account: string, day: string, paid: readonly Paid[]): string {
  const total = paid.reduce((sum, one) => sum + one.amount, 0)
  const balance = (kind: string, amount: number) =>
    `<Bal><Tp><CdOrPrtry><Cd>${kind}</Cd></CdOrPrtry></Tp>${money(amount)}<CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`
  const entries = paid.map(
    (one, i) =>
      `<Ntry>${money(one.amount)}<CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>${day}</Dt></BookgDt><ValDt><Dt>${day}</Dt></ValDt>` +
      `<AcctSvcrRef>B${i}</AcctSvcrRef><NtryDtls><TxDtls><Refs><EndToEndId>${one.reference}</EndToEndId></Refs><RltdPties><Dbtr><Nm>${one.payer}</Nm></Dbtr></RltdPties>` +
      `<RmtInf><Ustrd>${one.text}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>\n`,
  )
  return (
    `<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><GrpHdr><MsgId>M</MsgId></GrpHdr>` +
    `<Stmt><Id>S</Id><Acct><Id><IBAN>${account}</IBAN></Id><Ccy>EGP</Ccy></Acct>${balance('OPBD', 0)}${balance('CLBD', total)}${entries.join('')}</Stmt></BkToCstmrStmt></Document>`
  )
}

/** A statement with an entry of two parts, a reversal, a payment that is not booked yet, in one of the versions. */
export function camtFile(version: string): string {
  const late = Number(version) >= 8
  const status = (code: string) => (late ? `<Sts><Cd>${code}</Cd></Sts>` : `<Sts>${code}</Sts>`)
  const party = (name: string) => (late ? `<Dbtr><Pty><Nm>${name}</Nm></Pty></Dbtr>` : `<Dbtr><Nm>${name}</Nm></Dbtr>`)
  const worth = (minor: number) =>
    version === '02'
      ? `<AmtDtls><TxAmt>${money(minor)}</TxAmt></AmtDtls>`
      : `${money(minor)}<CdtDbtInd>CRDT</CdtDbtInd>`
  const part = (id: string, minor: number, name: string) =>
    `<TxDtls><Refs><EndToEndId>${id}</EndToEndId></Refs>${worth(minor)}<RltdPties>${party(name)}</RltdPties></TxDtls>`
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}">
 <BkToCstmrStmt>
  <GrpHdr><MsgId>M-1</MsgId><CreDtTm>2026-04-06T20:00:00Z</CreDtTm></GrpHdr>
  <Stmt>
   <Id>S-1</Id>
   <Acct><Id><IBAN>EG380019000500000000263180002</IBAN></Id><Ccy>EGP</Ccy></Acct>
   <Bal><Tp><CdOrPrtry><Cd>OPBD</Cd></CdOrPrtry></Tp>${money(100_000)}<CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-04-05</Dt></Dt></Bal>
   <Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp>${money(117_500)}<CdtDbtInd>CRDT</CdtDbtInd><Dt><DtTm>2026-04-06T18:00:00Z</DtTm></Dt></Bal>
   <Ntry>
    ${money(12_000)}<CdtDbtInd>CRDT</CdtDbtInd>${status('BOOK')}
    <BookgDt><Dt>2026-04-05</Dt></BookgDt><ValDt><Dt>2026-04-06</Dt></ValDt><AcctSvcrRef>B-1</AcctSvcrRef>
    <NtryDtls><TxDtls>
     <Refs><EndToEndId>NOTPROVIDED</EndToEndId></Refs>
     <RltdPties>${party('Mona Ali')}<DbtrAcct><Id><IBAN>DE89 3704 0044 0532 0130 00</IBAN></Id></DbtrAcct></RltdPties>
     <RmtInf><Ustrd>Fees 2310008</Ustrd><Ustrd>spring &amp; summer</Ustrd><Strd><CdtrRefInf><Ref>RF18539007547034</Ref></CdtrRefInf></Strd></RmtInf>
    </TxDtls></NtryDtls>
   </Ntry>
   <Ntry>
    ${money(8000)}<CdtDbtInd>CRDT</CdtDbtInd>${status('BOOK')}<BookgDt><DtTm>2026-04-05T11:00:00+02:00</DtTm></BookgDt>
    <NtryDtls><Btch><NbOfTxs>2</NbOfTxs></Btch>${part('E2E-1', 5000, 'Ahmed Hassan')}${part('E2E-2', 3000, 'سارة محمود')}</NtryDtls>
   </Ntry>
   <Ntry>
    ${money(2500)}<CdtDbtInd>DBIT</CdtDbtInd><RvslInd>true</RvslInd>${status('BOOK')}<BookgDt><Dt>2026-04-06</Dt></BookgDt>
   </Ntry>
   <Ntry>
    ${money(9900)}<CdtDbtInd>CRDT</CdtDbtInd>${status('PDNG')}<NtryDtls><TxDtls><Refs><EndToEndId>LATER</EndToEndId></Refs></TxDtls></NtryDtls>
   </Ntry>
  </Stmt>
 </BkToCstmrStmt>
</Document>`
}

/** A statement over the end of a year, in the envelope of the network. */
export const mt940File = (): string =>
  [
    '{1:F01NBEGEGCXAXXX0000000000}{2:O9400000000000NBEGEGCXAXXX00000000000000000000N}{4:',
    ':20:START',
    ':25:EG38/0005263180EGP',
    ':28C:7/1',
    ':60F:C261230EGP1000,00',
    ':61:2612311231C125,50NTRFNONREF//BANK-1',
    ':86:166?00SEPA?20EREF+E2E-77?21SVWZ+Fees 2310008?22 of spring?30NBEGEGCX?31DE89370400440532013000?32MONA ALI',
    '?33 HASSAN',
    ':61:2701021231D25,00NCHKCHQ123',
    ':86:Charges of December',
    'second line',
    ':61:261231RC20,00NTRFNONREF',
    ':86:/TRTP/SEPA/NAME/Ahmed/REMI/taken back',
    ':62F:C261231EGP1080,50',
    '-}',
    '',
  ].join('\r\n')
