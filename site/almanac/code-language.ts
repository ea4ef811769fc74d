/** The language of a short example, guessed from how it begins, for the highlighter. */
export function codeLanguage(code: string): string {
  const start = code.trimStart();
  if (/^[[{]/.test(start)) {
    return 'json';
  }
  if (/^(?:GET|POST|PUT|DELETE|HEAD|OPTIONS|HTTP\/)/.test(start)) {
    return 'http';
  }
  if (/^(?:curl|git|npx|npm|openssl|dig|claude|codex|\$ )/.test(start)) {
    return 'bash';
  }
  if (/^<\?php/.test(start)) {
    return 'php';
  }
  if (/^<(?:!doctype|html|head|body|script|link|meta|form|div|button|main|a|img|dialog)\b/i.test(start)) {
    return 'html';
  }
  if (/^</.test(start)) {
    return 'xml';
  }
  if (/^(?:from [\w.]+ import|def |@app\.)/.test(start)) {
    return 'python';
  }
  if (/^(?:import|const|let|async|export|await|document|\/\/)/.test(start)) {
    return 'js';
  }
  return 'txt';
}
