const before = String.raw`(?<![\p{L}\p{N}])`;
const after = String.raw`(?![\p{L}\p{N}])`;
const fill = (words: number) => String.raw`(?:[\p{L}'-]{1,20} ){0,${words}}`;
const orders =
  '(?:instructions?|prompts?|rules?|directions?|directives?|guidelines?|guardrails?|constraints?|orders?|commands?|context|programming|training|messages?|safeguards?)';

/** The beginning of a sentence, or a word that makes what follows an order: "I run the code" is a report, "Run the code" is not. */
const order = `(?:^|[.!?:;,>*"(-]) ?(?:(?:please|now|then|first|next|also|you must|you will|you should) ){0,2}`;
const secrets = `(?:api keys?|passwords?|(?:access|auth|bearer|session) tokens?|secret keys?|your secrets?|credentials?|cookies|private keys?|seed phrases?|environment variables?)`;

const english = [
  // Setting aside what the reader was told.
  `${before}(?:ignore|disregard|forget|override|overrule|bypass|discard|neglect) ${fill(3)}(?:previous|prior|above|earlier|preceding|existing|current|original|initial|system|safety|other|your|all|any|these|those) ${fill(2)}${orders}${after}`,
  `${before}(?:ignore|disregard|forget) (?:everything|anything|all|what) ${fill(4)}(?:above|before|previously|earlier|so far|know|told|learned)${after}`,
  `${before}(?:new|updated|revised|real|actual|important|additional|hidden|secret) (?:system )?(?:instructions?|prompts?|directives?|orders?) ?[:=-]`,
  `${before}(?:end|begin|start)(?: of)? (?:the )?(?:system|user|developer) (?:prompt|instructions?|message)${after}`,
  // Giving the reader another part to play.
  `${before}(?:you are now|you will now|from now on,? (?:you|act|respond|answer|always|never)|enter (?:dan|developer|debug|god|admin) mode|(?:developer|dan|god|debug) mode (?:enabled|on|activated))${after}`,
  `${order}(?:pretend (?:to be|that you|you are|you're)|role-?play as|act as (?:an?|the|my|if)|behave as (?:an?|if))${after}`,
  // Asking for what the reader keeps.
  `${before}(?:reveal|print|repeat|show|output|leak|expose|disclose|display|recite|dump|return|tell me) ${fill(3)}(?:(?:system|developer|hidden|initial) (?:prompt|message)|your (?:\\p{L}{1,20} )?(?:prompt|instructions|rules|configuration|context window)|the (?:above|previous|original) (?:text|prompt|instructions)|instructions above|${secrets})${after}`,
  `${before}(?:send|post|upload|forward|e-?mail|transmit|exfiltrate|transfer|submit|share|pay|wire|deposit) ${fill(4)}(?:${secrets}|conversation|chat history|wallet|funds|money|payments?|[$€]? ?\\d[\\d.,]{0,12}(?: ?(?:usd|eur|usdc|eth|btc|dollars|euros))?) ${fill(3)}to${after}`,
  // Ordering an act.
  `${order}(?:run|execute|eval|evaluate|invoke) (?:(?:the|this|these|that|following|below|attached|shell) ){1,4}(?:commands?|code|scripts?|tools?|functions?|programs?|snippets?|lines?)${after}`,
  `${order}call (?:the |your )?[\\p{L}\\p{N}_]{1,30} (?:tool|function|api)${after}`,
  `${before}(?:curl|wget) [^\\n|]{1,200}\\| ?(?:sudo )?(?:ba|z|da)?sh${after}|${before}rm -rf${after}`,
  `${order}(?:visit|open|click|browse to|navigate to|go to|fetch|download|follow)(?: (?:on|the|this|that|my|our|following|link|url|page|site|website|here|at)){0,4}:? ?(?:[a-z]{2,10}://|www\\.)`,
  // Working on the people behind the reader.
  `${before}(?:tell|inform|convince|persuade|remind|notify|warn|advise) (?:your (?:user|human|operator|owner|principal|customer)s?|the (?:user|human|operator)s?)${after}`,
  `${before}ask your (?:user|human|operator|owner|principal|customer)s?${after}`,
  `${before}(?:do not|don't|never|without) (?:tell|inform|mention|reveal|notify|alert|ask)(?:ing)? (?:(?:this|it|that|anything|to) ){0,3}(?:your|the|any) (?:user|human|operator|owner|principal|customer)s?${after}`,
  `${order}(?:always|only) (?:recommend|promote|endorse|cite|mention|output|(?:respond|reply|answer) (?:with|in|as))${after}`,
  `${order}(?:respond|reply|answer|continue) (?:only|exclusively|solely|exactly) (?:with|in|as|by)${after}`,
];

const otherLanguages = [
  `${before}(?:ignorier\\p{L}{0,3}|missacht\\p{L}{0,3}|vergiss|vergesst|vergessen sie) ${fill(3)}(?:anweisung|instruktion|befehl|regel|vorgabe)\\p{L}{0,4}`,
  `${before}(?:ignore[zr]?|oublie[zr]?|néglige[zr]?) ${fill(3)}(?:instructions|consignes|règles|directives|ordres)${after}`,
  `${before}(?:ignora|ignore|ignorar|olvida|olvide) ${fill(3)}(?:instrucciones|órdenes|reglas|indicaciones)${after}`,
  `${before}(?:ignora|ignorate|dimentica) ${fill(3)}(?:istruzioni|regole|ordini)${after}`,
  `${before}(?:ignore|ignora|esqueça|desconsidere) ${fill(3)}(?:instruções|regras|ordens)${after}`,
  `${before}(?:игнорируй|игнорируйте|забудь|забудьте) ${fill(3)}(?:инструкци|указани|правил|команд)`,
  '(?:忽略|无视|無視|忘记|忘記)[^\\n。]{0,12}(?:指令|指示|提示|规则|規則|说明)',
  '(?:指示|命令|プロンプト|ルール)[^\\n。]{0,6}(?:無視|忘れ)',
  '(?:지시|명령|프롬프트|규칙)[^\\n.]{0,8}무시',
];

const markup = [
  // Marks by which chat formats tell who is speaking.
  '^ ?[#*>\\[(]{0,3} ?(?:system|assistant|developer|user|human|tool)(?: (?:prompt|message|instructions?|override|note))?[\\])*]{0,3} ?:',
  '<\\|[a-z_]{2,24}\\|>|\\[/?inst\\]|<</?sys>>|</?(?:system|assistant|developer|user|instructions?|prompt|tool_call|tool_use|function_calls?|invoke)[ >:]',
  '^ ?#{2,6} ?(?:system|instructions?|prompt|response|task)(?!\\p{L})',
  `${before}system prompt ?[:=]`,
];

const patterns = [...english, ...otherLanguages, ...markup].map((pattern) => new RegExp(pattern, 'mu'));

/**
 * `instruction-shaped`: folded text has the form of an order to a machine. In English: setting aside earlier instructions;
 * announcing new ones; giving the reader a part to play; asking it for its prompt or for secrets; ordering it to run,
 * fetch, call, send or pay something; telling it what to say to, or keep from, its user. In German, French, Spanish,
 * Italian, Portuguese, Russian, Chinese, Japanese and Korean: setting aside earlier instructions. In any language: the
 * marks by which chat formats name a speaker (`system:`, `<|im_start|>`, `[INST]`, `<system>`).
 */
export const isInstructionShaped = (folded: string): boolean => patterns.some((pattern) => pattern.test(folded));
