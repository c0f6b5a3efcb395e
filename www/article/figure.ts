// Figures on any page: `<script type="module" src="SITE/article/figure.js"></script>` and `<snapshot-figure id="line">`.

import './element';
